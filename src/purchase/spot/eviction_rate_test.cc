#include "purchase/spot/eviction_rate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plimsoll {
namespace {

// Halves of chi-square quantiles: Garwood's table.
TEST(EvictionRateTest, IntervalsAreGarwoods) {
  struct Row {
    std::int64_t count;
    double low, high;
  };
  for (const Row& row :
       {Row{0, 0, 3.6889}, Row{1, 0.0253, 5.5716}, Row{2, 0.2422, 7.2247}, Row{5, 1.6235, 11.6683},
        Row{10, 4.7954, 18.3904}, Row{20, 12.2165, 30.8884}, Row{100, 81.3640, 121.6273}}) {
    SCOPED_TRACE(row.count);
    const PoissonInterval interval = PoissonMeanInterval(row.count);
    EXPECT_NEAR(interval.low, row.low, 1e-3);
    EXPECT_NEAR(interval.high, row.high, 1e-3);
  }
}

// z = 1.959964: the cube root approximation of Wilson and Hilferty is good to 1e-4 here.
TEST(EvictionRateTest, LargeCountsFollowTheirLimit) {
  for (const double n : {1e4, 1e6}) {
    const PoissonInterval interval = PoissonMeanInterval(static_cast<std::int64_t>(n));
    const auto bound = [](double a, double z) {
      const double root = 1 - 1 / (9 * a) + z / (3 * std::sqrt(a));
      return a * root * root * root;
    };
    EXPECT_NEAR(interval.low / bound(n, -1.959964), 1, 1e-5);
    EXPECT_NEAR(interval.high / bound(n + 1, 1.959964), 1, 1e-5);
  }
}

TEST(EvictionRateTest, ARateIsAnHoursAndNoTimeHasNone) {
  EXPECT_FALSE(EvictionRateOf(0, Duration()));
  const auto none = EvictionRateOf(0, Hours(1'000));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->rate, 0);
  EXPECT_EQ(none->low, 0);
  EXPECT_NEAR(static_cast<double>(none->high), 3'688'879, 1);
  EXPECT_EQ(EvictionRateOf(10, Hours(100))->rate, 100'000'000);
}

}  // namespace
}  // namespace plimsoll
