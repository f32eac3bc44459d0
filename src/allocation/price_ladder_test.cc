#include "allocation/price_ladder.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

NodeFact PoolNode() {
  NodeFact node;
  node.instance_type = "pool";
  return node;
}

TEST(PriceLadderTest, CostIsPriceTimesTimeRoundedOnce) {
  TestFleet fleet;
  fleet.Price("1");
  PriceLadder ladder(fleet.Input(), fleet.options);
  const auto price = ladder.CostOfTime(0, PoolNode(), {T(0), T(20)});
  ASSERT_TRUE(price);
  EXPECT_EQ(price->cost.ToString(), "0.333333333");
  EXPECT_EQ(price->rung, "contracted");
  EXPECT_EQ(price->source, "test 2026-05-01");
}

TEST(PriceLadderTest, ThePriceInForceAtTheBeginningCounts) {
  TestFleet fleet;
  fleet.Price("1");
  fleet.prices.valid_until[0] = T(30);
  fleet.Price("5");
  fleet.prices.valid_from[1] = T(30);
  PriceLadder ladder(fleet.Input(), fleet.options);
  EXPECT_EQ(ladder.CostOfTime(0, PoolNode(), {T(0), T(60)})->cost, Money::Units(1));
  EXPECT_EQ(ladder.CostOfTime(0, PoolNode(), {T(30), T(60)})->cost.ToString(), "2.500000000");
}

TEST(PriceLadderTest, AnUnknownTypeHasNoRung) {
  TestFleet fleet;
  PriceLadder ladder(fleet.Input(), fleet.options);
  const auto price = ladder.CostOfTime(0, PoolNode(), {T(0), T(60)});
  EXPECT_EQ(price->rung, "none");
  EXPECT_EQ(price->cost, Money());
}

TEST(PriceLadderTest, OnDemandStandsInForSpotAndSaysSo) {
  TestFleet fleet;
  fleet.Price("2");
  fleet.prices.purchase[0] = "on-demand";
  NodeFact node = PoolNode();
  node.capacity_type = "spot";
  PriceLadder ladder(fleet.Input(), fleet.options);
  const auto price = ladder.CostOfTime(0, node, {T(0), T(60)});
  EXPECT_TRUE(price->is_stand_in);
  EXPECT_EQ(price->source, "test 2026-05-01 (on-demand price)");
}

}  // namespace
}  // namespace plimsoll
