#include "units/quantity.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(QuantityTest, HoursArePrintedWithNinePlaces) {
  EXPECT_EQ(ToDecimalHours(WholeGpuHours(3)), "3.000000000");
  EXPECT_EQ(ToDecimalHours(GpuSeconds(1'800)), "0.500000000");
  EXPECT_EQ(ToDecimalHours(GpuMillis(1)), "0.000000278");
  EXPECT_EQ(ToDecimalHours(GpuMillis(-1)), "-0.000000278");
}

TEST(QuantityTest, AddsAndComparesInItsOwnUnit) {
  EXPECT_EQ(GpuSeconds(2) + GpuMillis(1), GpuMillis(2'001));
  EXPECT_LT(TokenCount(999'999), MillionTokens(1));
}

}  // namespace
}  // namespace plimsoll
