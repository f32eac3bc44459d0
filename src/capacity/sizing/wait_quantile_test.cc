#include "capacity/sizing/wait_quantile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sim/distributions.h"
#include "sim/random.h"

namespace plimsoll {
namespace {

constexpr double kMean = 60'000;

// Waits whose scale is common to a replication: a busy month and a quiet one.
std::vector<WaitTally> DrawReplications(std::uint64_t trial, double spread) {
  RandomStream random(5, "quantile", trial);
  std::vector<WaitTally> replications(24);
  for (WaitTally& one : replications) {
    const double scale = kMean * std::exp(DrawNormal(random, 0, spread));
    for (int i = 0; i < 40; ++i) {
      one.Add(Millis(static_cast<std::int64_t>(DrawExponential(random, scale))));
    }
  }
  return replications;
}

double CoverageOf(double spread, double p, double truth) {
  constexpr int kTrials = 400;
  int held = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const WaitQuantile quantile = EstimateWaitQuantile(DrawReplications(trial, spread), p, 0.9);
    if (!quantile.low || !quantile.high) continue;
    held += static_cast<double>(quantile.low->base()) <= truth * 1.002 &&
            truth <= static_cast<double>(quantile.high->base()) * 1.002;
  }
  return static_cast<double>(held) / kTrials;
}

TEST(WaitQuantileTest, ItHoldsTheTruthAsOftenAsItSays) {
  EXPECT_GT(CoverageOf(0, 0.5, kMean * std::log(2)), 0.86);
  EXPECT_GT(CoverageOf(0, 0.9, kMean * std::log(10)), 0.86);
}

TEST(WaitQuantileTest, ItHoldsTheTruthThoughJobsOfAReplicationAreAlike) {
  // The median of exponential waits whose logarithmic scale is normal: from many of them.
  RandomStream random(6, "truth", 0);
  WaitTally many;
  for (int i = 0; i < 200'000; ++i) {
    const double scale = kMean * std::exp(DrawNormal(random, 0, 1));
    many.Add(Millis(static_cast<std::int64_t>(DrawExponential(random, scale))));
  }
  const auto truth = [&](double p) { return static_cast<double>(many.Quantile(p)->base()); };
  EXPECT_GT(CoverageOf(1, 0.5, truth(0.5)), 0.84);
  EXPECT_GT(CoverageOf(1, 0.9, truth(0.9)), 0.82);
  EXPECT_LT(CoverageOf(1, 0.5, truth(0.5)), 0.97);
}

TEST(WaitQuantileTest, FewJobsBoundNoHighPercentile) {
  std::vector<WaitTally> replications(20);
  for (WaitTally& one : replications) one.Add(Millis(7));
  const WaitQuantile quantile = EstimateWaitQuantile(replications, 0.99, 0.95);
  EXPECT_EQ(quantile.estimate, Millis(7));
  EXPECT_FALSE(quantile.high);  // the 99th percentile needs hundreds
  EXPECT_EQ(quantile.jobs, 20);
}

TEST(WaitQuantileTest, AJobThatNeverStartedHasNoWait) {
  std::vector<WaitTally> replications(30);
  for (WaitTally& one : replications) {
    for (int i = 0; i < 9; ++i) one.Add(Millis(100));
    for (int i = 0; i < 3; ++i) one.AddUnstarted();
  }
  const WaitQuantile high = EstimateWaitQuantile(replications, 0.9, 0.9);
  EXPECT_FALSE(high.estimate);
  EXPECT_FALSE(high.high);
  EXPECT_EQ(EstimateWaitQuantile(replications, 0.5, 0.9).estimate, Millis(100));
}

TEST(WaitQuantileTest, WithoutJobsNothingIsKnown) {
  EXPECT_EQ(EstimateWaitQuantile({}, 0.5, 0.9).jobs, 0);
  EXPECT_FALSE(EstimateWaitQuantile({}, 0.5, 0.9).estimate);
}

}  // namespace
}  // namespace plimsoll
