#include "capacity/model/wait_histogram.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

WaitHistogram Of(std::vector<std::int64_t> counts) {
  WaitHistogram histogram{"kueue_admission_wait_time_seconds", "cq", {}};
  const std::optional<Duration> uppers[] = {Seconds(1), Millis(2'500), Seconds(5), std::nullopt};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    histogram.buckets.push_back({uppers[i], counts[i]});
  }
  return histogram;
}

TEST(WaitHistogramTest, AQuantileIsTheBucketThatHoldsItsRank) {
  const auto p95 = QuantileRange(Of({10, 18, 20, 20}), 950);  // rank 19
  ASSERT_TRUE(p95);
  EXPECT_EQ(p95->low, Millis(2'500));
  EXPECT_EQ(p95->high, Seconds(5));
  const auto p90 = QuantileRange(Of({10, 18, 20, 20}), 900);  // rank 18
  EXPECT_EQ(p90->low, Seconds(1));
  EXPECT_EQ(p90->high, Millis(2'500));
}

TEST(WaitHistogramTest, TheFirstBucketBeginsAtZeroAndTheLastHasNoEnd) {
  const auto first = QuantileRange(Of({10, 18, 20, 20}), 500);
  EXPECT_EQ(first->low, Duration());
  EXPECT_EQ(first->high, Seconds(1));
  const auto last = QuantileRange(Of({0, 0, 0, 4}), 500);
  EXPECT_EQ(last->low, Seconds(5));
  EXPECT_FALSE(last->high.has_value());
}

TEST(WaitHistogramTest, NoWaitsTellNothing) {
  EXPECT_FALSE(QuantileRange(Of({0, 0, 0, 0}), 950));
  EXPECT_FALSE(QuantileRange(Of({}), 950));
}

}  // namespace
}  // namespace plimsoll
