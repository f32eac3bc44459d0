#include "purchase/commit/usage_curve.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(UsageCurveTest, BelowIsTheSumOfWhatEachHourHasUnderALevel) {
  const UsageCurve curve({5, 0, 9, 2});
  for (std::int64_t level = -1; level <= 11; ++level) {
    int128 sum = 0;
    for (const std::int64_t used : {5, 0, 9, 2})
      sum += std::min(used, std::max<std::int64_t>(0, level));
    EXPECT_EQ(curve.Below(level) == sum * UsageCurve::kWhole, true) << level;
  }
  EXPECT_EQ(static_cast<std::int64_t>(curve.total()), 16);
}

TEST(UsageCurveTest, ScalesUseAndNotTheLevel) {
  const UsageCurve curve({4, 10});
  // Half of it: 2 and 5; below 3 are 2 + 3.
  EXPECT_EQ(static_cast<std::int64_t>(curve.Below(3, 500'000)), 5 * UsageCurve::kWhole);
  EXPECT_EQ(static_cast<std::int64_t>(curve.Below(3, 0)), 0);
}

TEST(UsageCurveTest, PercentileIsByNearestRank) {
  std::vector<std::int64_t> used;
  for (std::int64_t i = 1; i <= 100; ++i) used.push_back(i);
  EXPECT_EQ(UsageCurve(used).Percentile(5), 5);
  EXPECT_EQ(UsageCurve({3, 1, 2}).Percentile(5), 1);
  EXPECT_EQ(UsageCurve({3, 1, 2}).Percentile(100), 3);
  EXPECT_EQ(UsageCurve({}).Percentile(5), 0);
}

}  // namespace
}  // namespace plimsoll
