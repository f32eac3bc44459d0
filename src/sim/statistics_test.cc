#include "sim/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/distributions.h"

namespace plimsoll {
namespace {

TEST(StatisticsTest, MomentsMergeAsIfInOnePass) {
  RandomStream random(1, "moments", 0);
  Moments all, first, second, none;
  double sum = 0;
  std::vector<double> values;
  for (int i = 0; i < 10'000; ++i) {
    values.push_back(1e9 + random.Uniform());
    all.Add(values.back());
    (i < 3'000 ? first : second).Add(values.back());
    sum += values.back() - 1e9;
  }
  first.Merge(none);
  none.Merge(first);
  none.Merge(second);
  double squares = 0;
  for (const double v : values) squares += (v - 1e9 - sum / 1e4) * (v - 1e9 - sum / 1e4);
  EXPECT_EQ(none.count(), 10'000);
  EXPECT_NEAR(none.mean(), 1e9 + sum / 1e4, 5e-6);  // 40 units in the last place
  EXPECT_NEAR(none.variance(), squares / 9'999, 1e-7);
  EXPECT_NEAR(all.variance(), squares / 9'999, 1e-7);
  EXPECT_EQ(Moments().variance(), 0);
}

// NIST/SEMATECH e-Handbook 1.3.6.7.2, upper critical values of Student's t.
TEST(StatisticsTest, StudentQuantilesAreThoseOfTheTable) {
  const struct {
    double degrees, p, t;
  } table[] = {{1, 0.975, 12.706},  {1, 0.995, 63.657},  {2, 0.95, 2.920},   {5, 0.90, 1.476},
               {5, 0.999, 5.893},   {10, 0.975, 2.228},  {10, 0.995, 3.169}, {20, 0.99, 2.528},
               {30, 0.975, 2.042},  {60, 0.995, 2.660},  {99, 0.975, 1.984}, {100, 0.999, 3.174},
               {1e7, 0.975, 1.960}, {1e7, 0.995, 2.576}, {1, 0.999, 318.313}};
  for (const auto& row : table) {
    EXPECT_NEAR(StudentQuantile(row.p, row.degrees), row.t, 0.0006 * std::max(1.0, row.t / 10))
        << row.degrees << " " << row.p;
    EXPECT_NEAR(StudentQuantile(1 - row.p, row.degrees), -row.t,
                0.0006 * std::max(1.0, row.t / 10));
  }
  EXPECT_EQ(StudentQuantile(0.5, 3), 0);
}

TEST(StatisticsTest, BetaHasItsClosedForms) {
  for (const double x : {0.01, 0.3, 0.5, 0.77, 0.999}) {
    EXPECT_NEAR(IncompleteBeta(1, 1, x), x, 1e-14);
    EXPECT_NEAR(IncompleteBeta(3, 1, x), x * x * x, 1e-14);
    EXPECT_NEAR(IncompleteBeta(1, 4, x), 1 - std::pow(1 - x, 4), 1e-14);
    EXPECT_NEAR(IncompleteBeta(0.5, 0.5, x), 2 / std::acos(-1) * std::asin(std::sqrt(x)), 1e-13);
    EXPECT_NEAR(IncompleteBeta(900, 1'100, x), 1 - IncompleteBeta(1'100, 900, 1 - x), 1e-12);
  }
}

TEST(StatisticsTest, MeanIntervalHoldsTheMeanAsOftenAsItSays) {
  int held = 0;
  constexpr int kTrials = 4'000;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    RandomStream random(1, "coverage", trial);
    Moments moments;
    for (int i = 0; i < 8; ++i) moments.Add(DrawNormal(random, 5, 2));
    const auto interval = MeanInterval(moments, 0.9);
    held += interval->low <= 5 && 5 <= interval->high;
  }
  EXPECT_NEAR(held, 0.9 * kTrials, 4 * std::sqrt(0.09 * kTrials));
  Moments one;
  one.Add(1);
  EXPECT_FALSE(MeanInterval(one, 0.9));
}

TEST(StatisticsTest, SharesHaveTheirExactInterval) {
  // Clopper and Pearson's of 5 of 10, of none of 6, of all of 6 at 95 %.
  const Interval half = ShareInterval(5, 10, 0.95), none = ShareInterval(0, 6, 0.95);
  EXPECT_NEAR(half.low, 0.1871, 5e-5);
  EXPECT_NEAR(half.high, 0.8129, 5e-5);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 1 - std::pow(0.025, 1.0 / 6), 1e-12);
  EXPECT_NEAR(ShareInterval(6, 6, 0.95).low, std::pow(0.025, 1.0 / 6), 1e-12);
}

TEST(StatisticsTest, FewerEffectiveTrialsWidenAShare) {
  const Interval whole = ShareInterval(45, 50, 0.9), same = EffectiveShareInterval(45, 50, 0.9);
  EXPECT_EQ(whole.low, same.low);
  EXPECT_EQ(whole.high, same.high);
  const Interval wide = EffectiveShareInterval(0.9 * 12.5, 12.5, 0.9);
  EXPECT_LT(wide.low, whole.low);
  EXPECT_GT(wide.high, whole.high);
}

TEST(StatisticsTest, QuantilesAreOfNearestRank) {
  EXPECT_EQ(QuantileRank(10, 0.9), 8U);
  EXPECT_EQ(QuantileRank(10, 0.91), 9U);
  EXPECT_EQ(QuantileRank(1, 0.01), 0U);
  EXPECT_EQ(QuantileRank(1'000, 0.99), 989U);
  EXPECT_EQ(QuantileRank(7, 1), 6U);
}

TEST(StatisticsTest, QuantileIntervalsAreThePublishedRanks) {
  // The median's, from tables of the sign test at 95 %: values 2 and 9 of 10, 40 and 61 of 100.
  const auto of_ten = QuantileRanks(10, 0.5, 0.95), of_hundred = QuantileRanks(100, 0.5, 0.95);
  ASSERT_TRUE(of_ten && of_hundred);
  EXPECT_EQ(of_ten->low + 1, 2U);
  EXPECT_EQ(of_ten->high + 1, 9U);
  EXPECT_EQ(of_hundred->low + 1, 40U);
  EXPECT_EQ(of_hundred->high + 1, 61U);
  EXPECT_FALSE(QuantileRanks(5, 0.5, 0.95));
  EXPECT_TRUE(QuantileRanks(6, 0.5, 0.95));
  EXPECT_FALSE(QuantileRanks(100, 0.99, 0.95));
}

TEST(StatisticsTest, QuantileIntervalsHoldAtLeastAsOftenAsTheySay) {
  int held = 0;
  constexpr int kTrials = 3'000;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    RandomStream random(2, "quantiles", trial);
    std::vector<double> values(200);
    for (double& value : values) value = random.Uniform();
    std::sort(values.begin(), values.end());
    const auto ranks = QuantileRanks(values.size(), 0.9, 0.9);
    held += values[ranks->low] <= 0.9 && 0.9 <= values[ranks->high];
  }
  EXPECT_GT(held, 0.9 * kTrials - 4 * std::sqrt(0.09 * kTrials));
}

}  // namespace
}  // namespace plimsoll
