#include "capacity/sizing/wait_tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/random.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

TEST(WaitTallyTest, ShortWaitsAreExact) {
  WaitTally waits;
  for (std::int64_t ms = 0; ms < 1'024; ++ms) waits.Add(Millis(ms));
  EXPECT_EQ(waits.count(), 1'024);
  EXPECT_EQ(waits.Quantile(0.5), Millis(511));
  EXPECT_EQ(waits.Quantile(1), Millis(1'023));
  EXPECT_EQ(waits.CountWithin(Millis(99)), 100);
  EXPECT_EQ(*waits.MeanMillis(), 511.5);
}

TEST(WaitTallyTest, QuantilesAreThoseOfTheValuesWithinAFifthOfAPercent) {
  RandomStream random(1, "waits", 0);
  WaitTally waits;
  std::vector<std::int64_t> values;
  for (int i = 0; i < 5'000; ++i) {
    const auto ms = static_cast<std::int64_t>(random.Below(std::uint64_t{1} << random.Below(45)));
    waits.Add(Millis(ms));
    values.push_back(ms);
  }
  std::sort(values.begin(), values.end());
  for (const double p : {0.01, 0.3, 0.5, 0.9, 0.99, 1.0}) {
    const std::int64_t exact = values[QuantileRank(values.size(), p)];
    const std::int64_t told = waits.Quantile(p)->base();
    EXPECT_GE(told, exact);
    EXPECT_LE(told, exact + exact / 500);
    // A bucket's end splits the values as the exact values do.
    EXPECT_EQ(waits.CountWithin(Millis(told)),
              std::upper_bound(values.begin(), values.end(), told) - values.begin());
  }
}

TEST(WaitTallyTest, PartsAddUpToTheWhole) {
  RandomStream random(2, "parts", 0);
  WaitTally whole, first, second;
  for (int i = 0; i < 1'000; ++i) {
    const Duration wait = Millis(static_cast<std::int64_t>(random.Below(1'000'000)));
    whole.Add(wait);
    (random.Below(2) == 0 ? first : second).Add(wait);
  }
  whole.AddUnstarted();
  second.AddUnstarted();
  first.Merge(second);
  EXPECT_EQ(first, whole);
}

TEST(WaitTallyTest, WhoNeverStartedWaitsLongest) {
  WaitTally waits;
  for (int i = 0; i < 9; ++i) waits.Add(Millis(10));
  waits.AddUnstarted();
  EXPECT_EQ(waits.Quantile(0.9), Millis(10));
  EXPECT_FALSE(waits.Quantile(0.95));
  EXPECT_EQ(waits.count(), 10);
  EXPECT_EQ(waits.CountWithin(Days(10'000)), 9);
  EXPECT_FALSE(WaitTally().Quantile(0.5));
  EXPECT_FALSE(WaitTally().MeanMillis());
}

TEST(WaitTallyTest, ItGoesThroughAFile) {
  WaitTally waits;
  for (const std::int64_t ms : {std::int64_t{0}, std::int64_t{5}, std::int64_t{70'000},
                                std::numeric_limits<std::int64_t>::max() / 4}) {
    waits.Add(Millis(ms));
  }
  WaitTally read;
  for (const auto& [bucket, jobs] : waits.buckets()) ASSERT_TRUE(read.AddBucket(bucket, jobs));
  read.SetMillis(waits.millis());
  EXPECT_EQ(read, waits);
  EXPECT_FALSE(read.AddBucket(3, 0));
  EXPECT_FALSE(read.AddBucket(std::numeric_limits<std::uint32_t>::max(), 1));
}

TEST(WaitTallyTest, TheLongestTimeHasABucket) {
  WaitTally waits;
  waits.Add(Millis(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(waits.Quantile(1), Millis(std::numeric_limits<std::int64_t>::max()));
  WaitTally read;
  EXPECT_TRUE(read.AddBucket(waits.buckets().begin()->first, 1));
}

}  // namespace
}  // namespace plimsoll
