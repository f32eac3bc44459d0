#include "capacity/workload/wait_bound.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/distributions.h"

namespace plimsoll {
namespace {

std::vector<Duration> Waits(std::size_t count) {
  std::vector<Duration> waits;
  for (std::size_t i = 0; i < count; ++i) waits.push_back(Seconds(static_cast<std::int64_t>(i)));
  return waits;
}

TEST(WaitBoundTest, FewestWaitsArePublished) {
  EXPECT_EQ(WaitsNeeded({0.95, 0.95}), 59U);
  EXPECT_EQ(WaitsNeeded({0.90, 0.95}), 29U);
  EXPECT_EQ(WaitsNeeded({0.50, 0.95}), 5U);
}

TEST(WaitBoundTest, OfTheFewestTheLargestIsTheBound) {
  EXPECT_FALSE(WaitUpperBound(Waits(58), {0.95, 0.95}));
  EXPECT_EQ(WaitUpperBound(Waits(59), {0.95, 0.95}), Seconds(58));
  EXPECT_EQ(WaitUpperBound(Waits(29), {0.90, 0.95}), Seconds(28));
}

TEST(WaitBoundTest, MoreWaitsGiveATighterRank) {
  // Of 1,000 waits the 95 % rank has a deviation of 6.9 ranks: 950 + 1.645 x 6.9 is 961.3.
  const auto bound = WaitUpperBound(Waits(1'000), {0.95, 0.95});
  ASSERT_TRUE(bound);
  EXPECT_GE(*bound, Seconds(959));
  EXPECT_LE(*bound, Seconds(963));
}

TEST(WaitBoundTest, BoundHoldsAsOftenAsItSays) {
  // 2,000 samples of 120 waits: the true 95 % quantile of an exponential is ln 20 means.
  RandomStream random(7, "waits", 0);
  const double truth = 3.6e6 * 2.995732273553991;
  int held = 0;
  for (int sample = 0; sample < 2'000; ++sample) {
    std::vector<Duration> waits;
    for (int i = 0; i < 120; ++i) {
      waits.push_back(Millis(static_cast<std::int64_t>(DrawExponential(random, 3.6e6))));
    }
    held += static_cast<double>(WaitUpperBound(waits, {})->base()) >= truth ? 1 : 0;
  }
  EXPECT_GE(held, 1'880) << "95 % of 2,000 less three deviations";
}

TEST(WaitBoundTest, APastThatIsOverIsForgotten) {
  WaitPredictor predictor({0.95, 0.95});
  for (int i = 0; i < 200; ++i) predictor.Add(Seconds(10));
  EXPECT_EQ(predictor.Bound(), Seconds(10));
  for (int i = 0; i < 3; ++i) predictor.Add(Hours(1));
  EXPECT_EQ(predictor.trims(), 1);
  EXPECT_EQ(predictor.misses(), 3);
  EXPECT_EQ(predictor.Bound(), Hours(1)) << "the largest of the last 59";
}

}  // namespace
}  // namespace plimsoll
