#include "capacity/sizing/exact_figure.h"

#include <gtest/gtest.h>

#include <limits>

namespace plimsoll {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

TEST(ExactFigureTest, RatiosAreBillionths) {
  EXPECT_EQ(Billionths(0.95), 950'000'000);
  EXPECT_EQ(Billionths(-0.0000000014), -1);
  EXPECT_EQ(Billionths(1.0 / 3), 333'333'333);
  EXPECT_FALSE(Billionths(kForever));
  EXPECT_FALSE(Billionths(kForever - kForever));
  EXPECT_FALSE(Billionths(1e12));
}

TEST(ExactFigureTest, TimesAreWholeMilliseconds) {
  EXPECT_EQ(WholeMillis(1'499.6), Millis(1'500));
  EXPECT_FALSE(WholeMillis(kForever));
}

}  // namespace
}  // namespace plimsoll
