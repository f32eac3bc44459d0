#include "purchase/mix/hour_dispatch.h"

#include <gtest/gtest.h>

#include "model/commitment.h"

namespace plimsoll {
namespace {

TEST(HourDispatchTest, DearestElsewhereIsServedFirst) {
  const HourlyUnits service{2 * kUnitHour, kUnitHour}, queue{3 * kUnitHour, 3 * kUnitHour};
  const std::vector<DispatchLoad> loads{{&queue, Money::Units(1)}, {&service, Money::Units(5)}};
  const DispatchedUse use = DispatchHours(loads, 1, 2);
  EXPECT_EQ(use.reserved[1], 3 * kUnitHour);
  EXPECT_EQ(use.elsewhere[1], 0);
  EXPECT_EQ(use.reserved[0], 3 * kUnitHour);  // one in the first hour, two in the second
  EXPECT_EQ(use.elsewhere[0], 3 * kUnitHour);
  EXPECT_EQ(use.existing, 2 * kUnitHour);
  EXPECT_EQ(use.bought, 4 * kUnitHour);
}

TEST(HourDispatchTest, LoadsOfOnePriceShareInProportionAndAddUp) {
  const HourlyUnits a{1}, b{1}, c{1 + kUnitHour};
  const std::vector<DispatchLoad> loads{
      {&a, Money::Units(1)}, {&b, Money::Units(1)}, {&c, Money::Units(1)}};
  const DispatchedUse use = DispatchHours(loads, 0, 1);
  EXPECT_EQ(use.reserved[0] + use.reserved[1] + use.reserved[2], kUnitHour);
  EXPECT_EQ(use.elsewhere[0] + use.elsewhere[1] + use.elsewhere[2], 3);
  EXPECT_EQ(use.bought, kUnitHour);
}

TEST(HourDispatchTest, NothingUsesNothing) {
  const DispatchedUse use = DispatchHours({}, 3, 4);
  EXPECT_EQ(use.existing + use.bought, 0);
}

}  // namespace
}  // namespace plimsoll
