#include "capacity/sizing/paired_difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sim/distributions.h"

namespace plimsoll {
namespace {

using Values = std::vector<std::optional<double>>;

TEST(PairedDifferenceTest, WhatBothHaveInCommonCancels) {
  RandomStream random(1, "common", 0);
  Values before, after;
  Moments alone;
  for (int i = 0; i < 30; ++i) {
    const double common = DrawNormal(random, 100, 20);
    before.emplace_back(common);
    after.emplace_back(common - 2 + DrawNormal(random, 0, 0.5));
    alone.Add(*after.back());
  }
  const PairedDifference paired = EstimateDifference(before, after, 0.95);
  const double width = paired.interval->high - paired.interval->low;
  const auto unpaired = MeanInterval(alone, 0.95);
  EXPECT_LT(width, (unpaired->high - unpaired->low) / 10);
  EXPECT_TRUE(paired.differs());
  EXPECT_NEAR(paired.difference, -2, 0.5);
  EXPECT_NEAR(paired.after - paired.before, paired.difference, 1e-9);
}

TEST(PairedDifferenceTest, ItHoldsTheTruthAsOftenAsItSays) {
  constexpr int kTrials = 2'000;
  int held = 0, called_different = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    RandomStream random(2, "coverage", trial);
    Values before, after;
    for (int i = 0; i < 12; ++i) {
      before.emplace_back(DrawNormal(random, 10, 3));
      after.emplace_back(*before.back() + DrawNormal(random, 0, 1));
    }
    const PairedDifference paired = EstimateDifference(before, after, 0.9);
    held += paired.interval->low <= 0 && 0 <= paired.interval->high;
    called_different += paired.differs();
  }
  EXPECT_NEAR(held, 0.9 * kTrials, 4 * std::sqrt(0.09 * kTrials));
  EXPECT_EQ(held + called_different, kTrials);
}

TEST(PairedDifferenceTest, AReplicationWithoutAValueIsLeftOutOfBoth) {
  const Values before = {1.0, std::nullopt, 3.0, 4.0}, after = {2.0, 9.0, 4.0, std::nullopt};
  const PairedDifference paired = EstimateDifference(before, after, 0.9);
  EXPECT_EQ(paired.replications, 2);
  EXPECT_EQ(paired.left_out, 2);
  EXPECT_EQ(paired.difference, 1);
  EXPECT_EQ(paired.before, 2);
  EXPECT_EQ(paired.interval->low, 1);  // both differ by the same
}

TEST(PairedDifferenceTest, OneReplicationHasNoInterval) {
  const Values one = {1.0}, other = {5.0};
  EXPECT_FALSE(EstimateDifference(one, other, 0.9).interval);
  EXPECT_FALSE(EstimateDifference(one, other, 0.9).differs());
}

}  // namespace
}  // namespace plimsoll
