#include "purchase/commit/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plimsoll {
namespace {

double AsDouble(int128 fixed) { return static_cast<double>(fixed) / 1e18; }

TEST(FixedPointTest, WholeYearsAreExact) {
  EXPECT_EQ(GrowthAfter(80'000'000, 12), kFixedOne / 100 * 108);
  EXPECT_EQ(GrowthAfter(-500'000'000, 36), kFixedOne / 8);
  EXPECT_EQ(GrowthAfter(0, 60), kFixedOne);
  EXPECT_EQ(GrowthAfter(100'000'000, 0), kFixedOne);
}

TEST(FixedPointTest, MonthsAgreeWithTheClosedForm) {
  for (const std::int64_t rate : {-900'000'000LL, -100'000'000LL, 80'000'000LL, 1'000'000'000LL}) {
    for (std::int64_t months = 1; months <= 60; ++months) {
      const double expected =
          std::pow(1 + static_cast<double>(rate) / 1e9, static_cast<double>(months) / 12);
      EXPECT_NEAR(AsDouble(GrowthAfter(rate, months)) / expected, 1, 1e-12)
          << rate << " " << months;
    }
  }
}

}  // namespace
}  // namespace plimsoll
