#include "capacity/workload/run_time_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/distributions.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

std::vector<Duration> Draws(std::size_t count, double (*draw)(RandomStream&)) {
  RandomStream random(11, "runs", 0);
  std::vector<Duration> runs;
  for (std::size_t i = 0; i < count; ++i) {
    runs.push_back(Millis(static_cast<std::int64_t>(draw(random) * 1'000)));
  }
  return runs;
}

TEST(RunTimeFitTest, ALognormalIsFoundAgain) {
  const RunTimeFit fit(Draws(20'000, [](RandomStream& r) { return DrawLognormal(r, 7, 1.5); }));
  EXPECT_NEAR(fit.mu(), 7, 0.05);
  EXPECT_NEAR(fit.sigma(), 1.5, 0.03);
  EXPECT_LT(fit.quality().ks_lognormal, 1.36 / std::sqrt(20'000.0));
  EXPECT_NEAR(fit.quality().cs2 / std::expm1(1.5 * 1.5), 1, 0.3) << "exp(sigma^2) - 1";
}

TEST(RunTimeFitTest, AnExponentialIsNoLognormal) {
  const RunTimeFit fit(Draws(5'000, [](RandomStream& r) { return DrawExponential(r, 600); }));
  EXPECT_GT(fit.quality().ks_lognormal, 0.03);
  EXPECT_NEAR(fit.quality().cs2, 1, 0.1);
}

TEST(RunTimeFitTest, TheTailOfAParetoIsItsIndex) {
  // Survival x^-1.5: variance not finite.
  const RunTimeFit fit(
      Draws(50'000, [](RandomStream& r) { return 60 * std::pow(r.UniformPositive(), -1 / 1.5); }));
  ASSERT_TRUE(fit.quality().tail_index);
  EXPECT_NEAR(*fit.quality().tail_index, 1.5, 0.1);
  EXPECT_GT(fit.quality().share_of_longest, 0.15) << "0.01^(1/3) in theory";
}

TEST(RunTimeFitTest, FewOrEqualTimesHaveNoTail) {
  const RunTimeFit few(std::vector<Duration>(39, Seconds(5)));
  EXPECT_FALSE(few.quality().tail_index);
  const RunTimeFit equal(std::vector<Duration>(100, Seconds(5)));
  EXPECT_FALSE(equal.quality().tail_index);
  EXPECT_EQ(equal.quality().cs2, 0);
  EXPECT_EQ(equal.quality().ks_lognormal, 0) << "a lognormal of no width is exact";
}

TEST(RunTimeFitTest, EmpiricalDrawsAreMeasuredTimes) {
  const RunTimeFit fit(std::vector<Duration>{Seconds(1), Seconds(10), Seconds(100)});
  RandomStream random(1, "draw", 0);
  Moments seconds;
  for (int i = 0; i < 3'000; ++i) {
    const Duration run = fit.Draw(RunTimeModel::kEmpirical, random);
    EXPECT_TRUE(run == Seconds(1) || run == Seconds(10) || run == Seconds(100));
    seconds.Add(static_cast<double>(run.base()) / 1'000);
  }
  EXPECT_NEAR(seconds.mean(), 37, 4);
}

TEST(RunTimeFitTest, LognormalDrawsEndAtTenTimesTheLongest) {
  const RunTimeFit fit(std::vector<Duration>{Seconds(1), Seconds(1'000)});
  RandomStream random(2, "draw", 0);
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_LE(fit.Draw(RunTimeModel::kLognormal, random), Seconds(10'000));
  }
}

TEST(RunTimeFitTest, JobsOfNoTimeDoNotBreakIt) {
  const RunTimeFit fit(std::vector<Duration>(50, Duration()));
  EXPECT_EQ(fit.quality().mean_s, 0);
  EXPECT_EQ(fit.quality().cs2, 0);
  RandomStream random(3, "draw", 0);
  EXPECT_LE(fit.Draw(RunTimeModel::kLognormal, random), Millis(10));
}

}  // namespace
}  // namespace plimsoll
