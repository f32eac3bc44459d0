#include "capacity/workload/censored_times.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/distributions.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

CensoredTimes Of(std::vector<std::pair<int, bool>> times) {
  CensoredTimes censored;
  for (const auto& [hours, ended] : times) censored.Add(Hours(hours), ended);
  censored.Settle();
  return censored;
}

TEST(CensoredTimesTest, SurvivalIsKaplanAndMeiers) {
  // Six: 1, 2+, 3, 3, 4+, 5. At 1: 5/6; at 3: x 2/4; at 5: x 0.
  const CensoredTimes times =
      Of({{3, true}, {1, true}, {2, false}, {3, true}, {5, true}, {4, false}});
  EXPECT_DOUBLE_EQ(times.Survival(Minutes(59)), 1);
  EXPECT_DOUBLE_EQ(times.Survival(Hours(1)), 5.0 / 6);
  EXPECT_DOUBLE_EQ(times.Survival(Hours(2)), 5.0 / 6);
  EXPECT_DOUBLE_EQ(times.Survival(Hours(3)), 5.0 / 12);
  EXPECT_DOUBLE_EQ(times.Survival(Hours(4)), 5.0 / 12);
  EXPECT_DOUBLE_EQ(times.Survival(Hours(5)), 0);
}

TEST(CensoredTimesTest, DrawsFollowTheSurvival) {
  const CensoredTimes times =
      Of({{1, true}, {2, false}, {3, true}, {3, true}, {4, false}, {5, true}});
  RandomStream random(4, "times", 0);
  int ones = 0, threes = 0;
  for (int i = 0; i < 12'000; ++i) {
    const Duration t = times.Draw(Duration(), random);
    ones += t == Hours(1) ? 1 : 0;
    threes += t == Hours(3) ? 1 : 0;
  }
  EXPECT_NEAR(ones, 2'000, 150);
  EXPECT_NEAR(threes, 5'000, 200);
}

TEST(CensoredTimesTest, AnAgeIsOutlived) {
  const CensoredTimes times = Of({{1, true}, {3, true}, {5, true}, {5, true}});
  RandomStream random(5, "times", 0);
  int threes = 0;
  for (int i = 0; i < 3'000; ++i) {
    const Duration t = times.Draw(Hours(2), random);
    EXPECT_GT(t, Hours(2));
    threes += t == Hours(3) ? 1 : 0;
  }
  EXPECT_NEAR(threes, 1'000, 120);
}

TEST(CensoredTimesTest, BeyondTheLongestTheTailIsHeavy) {
  const CensoredTimes times = Of({{1, true}, {10, false}, {10, false}, {10, false}});
  RandomStream random(6, "times", 0);
  int beyond = 0, twice = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Duration t = times.Draw(Hours(8), random);
    EXPECT_GT(t, Hours(8));
    twice += t > Hours(16) ? 1 : 0;
    ++beyond;
  }
  EXPECT_NEAR(static_cast<double>(twice) / beyond, std::pow(2, -kTailBeyond), 0.015);
}

TEST(CensoredTimesTest, ExponentialTimesCutAtRandomKeepTheirMean) {
  RandomStream random(7, "sample", 0);
  CensoredTimes times;
  for (int i = 0; i < 20'000; ++i) {
    const double life = DrawExponential(random, 10), cut = DrawExponential(random, 20);
    times.Add(Millis(static_cast<std::int64_t>(std::min(life, cut) * 3.6e6)), life <= cut);
  }
  times.Settle();
  EXPECT_NEAR(times.Survival(Hours(10)), std::exp(-1), 0.015);
  Moments hours;
  for (int i = 0; i < 20'000; ++i) {
    hours.Add(static_cast<double>(times.Draw(Duration(), random).base()) / 3.6e6);
  }
  EXPECT_NEAR(hours.mean(), 10, 0.5);
}

}  // namespace
}  // namespace plimsoll
