#include "capacity/sizing/fleet_grid.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

FleetAxis Axis(const std::string& name, std::vector<std::int64_t> units, const char* price) {
  FleetAxis axis;
  axis.name = name;
  axis.units = std::move(units);
  if (price != nullptr) axis.price = *Money::Parse(price);
  return axis;
}

FleetGrid TwoAxes() {
  return *FleetGrid::Of({Axis("owned", {4, 8}, "2"), Axis("spot", {0, 1, 2}, "0.75")});
}

TEST(FleetGridTest, EveryCombinationIsAPoint) {
  const FleetGrid grid = TwoAxes();
  ASSERT_EQ(grid.size(), 6U);
  EXPECT_EQ(grid.Units(0), (std::vector<std::int64_t>{4, 0}));
  EXPECT_EQ(grid.Units(2), (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(grid.Units(3), (std::vector<std::int64_t>{8, 0}));
  EXPECT_EQ(grid.Gpus(4), 72);
}

TEST(FleetGridTest, AMonthCostsItsHours) {
  const FleetGrid grid = TwoAxes();
  EXPECT_EQ(grid.CostPerMonth(0), Money::Units(4 * 8 * 2 * 730));
  EXPECT_EQ(grid.CostPerMonth(1), Money::Units(4 * 8 * 2 * 730 + 8 * 730 * 3 / 4));
}

TEST(FleetGridTest, WithoutAPriceThereIsNoCost) {
  const FleetGrid grid = *FleetGrid::Of({Axis("owned", {4}, "2"), Axis("more", {0, 1}, nullptr)});
  EXPECT_TRUE(grid.CostPerMonth(0));  // none of it is there
  EXPECT_FALSE(grid.CostPerMonth(1));
}

TEST(FleetGridTest, NeighboursAreAStepAway) {
  const FleetGrid grid = TwoAxes();
  EXPECT_EQ(grid.Above(0, 0), 3U);
  EXPECT_EQ(grid.Above(0, 1), 1U);
  EXPECT_FALSE(grid.Above(2, 1));
  EXPECT_FALSE(grid.Above(5, 0));
  EXPECT_TRUE(grid.Holds(4, 1));
  EXPECT_TRUE(grid.Holds(4, 4));
  EXPECT_FALSE(grid.Holds(3, 1));
}

TEST(FleetGridTest, WhatIsWrongIsNamed) {
  const auto error = [](std::vector<FleetAxis> axes) {
    const Result<FleetGrid> grid = FleetGrid::Of(std::move(axes));
    return grid ? "" : grid.error().message;
  };
  EXPECT_EQ(error({Axis("a", {}, "1")}), "a: no numbers of units are given");
  EXPECT_EQ(error({Axis("a", {2, 2}, "1")}),
            "a: give the numbers of units in ascending order, each once");
  EXPECT_EQ(error({Axis("a", {-1}, "1")}), "a: -1 units are not from 0 to 10000000");
  std::vector<std::int64_t> many;
  for (std::int64_t i = 0; i < 200; ++i) many.push_back(i);
  EXPECT_EQ(error({Axis("a", many, "1"), Axis("b", many, "1")}),
            "b: the grid has more than 10000 fleets: take larger steps or narrower ranges");
}

TEST(FleetGridTest, WithoutAxesThereIsOneFleet) { EXPECT_EQ(FleetGrid::Of({})->size(), 1U); }

}  // namespace
}  // namespace plimsoll
