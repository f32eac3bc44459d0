#include "capacity/sizing/share_estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/random.h"

namespace plimsoll {
namespace {

// Beta(a, b) of whole a and b: the a-th smallest of a + b - 1 uniform numbers.
double DrawBeta(RandomStream& random, std::size_t a, std::size_t b) {
  std::vector<double> draws(a + b - 1);
  for (double& draw : draws) draw = random.Uniform();
  std::nth_element(draws.begin(), draws.begin() + static_cast<std::ptrdiff_t>(a - 1), draws.end());
  return draws[a - 1];
}

// Replications whose probes share a chance of their own: correlation 1 / (a + b + 1).
std::vector<HitCount> DrawGroups(RandomStream& random, std::size_t a, std::size_t b) {
  std::vector<HitCount> groups;
  for (int r = 0; r < 24; ++r) {
    const double chance = DrawBeta(random, a, b);
    HitCount group{0, 20 + static_cast<std::int64_t>(random.Below(30))};
    for (std::int64_t i = 0; i < group.count; ++i) group.hits += random.Uniform() < chance;
    groups.push_back(group);
  }
  return groups;
}

TEST(ShareEstimateTest, ItHoldsTheTruthAsOftenAsItSaysThoughProbesAreCorrelated) {
  constexpr int kTrials = 1'500;
  for (const auto& [a, b] : {std::pair<std::size_t, std::size_t>{3, 1}, {1, 1}, {8, 2}}) {
    SCOPED_TRACE(a);
    const double truth = static_cast<double>(a) / static_cast<double>(a + b);
    int held = 0, held_naively = 0;
    for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
      RandomStream random(3, "coverage", trial * 10 + a);
      const ShareEstimate share = EstimateShare(DrawGroups(random, a, b), 0.9);
      held += share.interval.low <= truth && truth <= share.interval.high;
      const Interval naive = ShareInterval(share.hits, share.count, 0.9);
      held_naively += naive.low <= truth && truth <= naive.high;
    }
    EXPECT_GT(held, 0.88 * kTrials);
    EXPECT_LT(held, 0.96 * kTrials);          // not by being too wide
    EXPECT_LT(held_naively, 0.65 * kTrials);  // what counting probes would claim
  }
}

TEST(ShareEstimateTest, IndependentProbesLoseLittle) {
  constexpr int kTrials = 1'000;
  int held = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    RandomStream random(4, "independent", trial);
    std::vector<HitCount> groups;
    for (int r = 0; r < 50; ++r) {
      HitCount group{0, 10};
      for (int i = 0; i < 10; ++i) group.hits += random.Uniform() < 0.7;
      groups.push_back(group);
    }
    const ShareEstimate share = EstimateShare(groups, 0.9);
    held += share.interval.low <= 0.7 && 0.7 <= share.interval.high;
    EXPECT_LE(share.effective, 500);
    EXPECT_GT(share.effective, 150);
  }
  EXPECT_GT(held, 0.88 * kTrials);
}

TEST(ShareEstimateTest, OneProbeAReplicationIsClopperAndPearson) {
  std::vector<HitCount> groups(10, HitCount{1, 1});
  groups[0].hits = groups[1].hits = 0;
  const ShareEstimate share = EstimateShare(groups, 0.95);
  const Interval exact = ShareInterval(8, 10, 0.95);
  EXPECT_EQ(share.estimate, 0.8);
  // The sample variance of a ratio has n - 1 in place of n.
  EXPECT_NEAR(share.effective, 9, 1e-9);
  EXPECT_NEAR(share.interval.low, exact.low, 0.03);
}

TEST(ShareEstimateTest, AllOrNoneCountReplicationsNotProbes) {
  const std::vector<HitCount> all(20, HitCount{50, 50}), none(20, HitCount{0, 50});
  EXPECT_EQ(EstimateShare(all, 0.95).effective, 20);
  EXPECT_EQ(EstimateShare(all, 0.95).interval.low, ShareInterval(20, 20, 0.95).low);
  EXPECT_EQ(EstimateShare(all, 0.95).interval.high, 1);
  EXPECT_EQ(EstimateShare(none, 0.95).interval.high, ShareInterval(0, 20, 0.95).high);
}

TEST(ShareEstimateTest, FullyCorrelatedProbesAreWorthTheirReplications) {
  std::vector<HitCount> groups(30, HitCount{40, 40});
  for (std::size_t i = 0; i < 10; ++i) groups[i].hits = 0;
  const ShareEstimate share = EstimateShare(groups, 0.95);
  EXPECT_LT(share.effective, 30);
  EXPECT_GT(share.effective, 20);
}

TEST(ShareEstimateTest, OneReplicationSaysNextToNothing) {
  const std::vector<HitCount> one = {{90, 100}};
  const ShareEstimate share = EstimateShare(one, 0.95);
  EXPECT_EQ(share.estimate, 0.9);
  EXPECT_LT(share.interval.low, 0.05);
  EXPECT_EQ(share.interval.high > 0.99, true);
}

TEST(ShareEstimateTest, NothingAskedIsAnything) {
  const ShareEstimate share = EstimateShare({}, 0.95);
  EXPECT_EQ(share.count, 0);
  EXPECT_EQ(share.interval.low, 0);
  EXPECT_EQ(share.interval.high, 1);
  const std::vector<HitCount> empty(3);
  EXPECT_EQ(EstimateShare(empty, 0.95).count, 0);
}

TEST(ShareEstimateTest, EvenReplicationsCapAtTheirProbes) {
  const std::vector<HitCount> even(10, HitCount{5, 10});
  EXPECT_EQ(EstimateShare(even, 0.95).effective, 100);
}

}  // namespace
}  // namespace plimsoll
