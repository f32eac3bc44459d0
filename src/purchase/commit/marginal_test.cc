#include "purchase/commit/marginal.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }

std::int64_t CountOf(const std::vector<MarginalPlacement>& placed, Placement where) {
  return std::count_if(placed.begin(), placed.end(),
                       [&](const MarginalPlacement& node) { return node.where == where; });
}

// 10 an hour committed of which 6 are used; nodes of 2; spot at 1.2.
TEST(MarginalTest, FillsThePlanBeforeSpot) {
  const auto placed = PlaceNodes(3, {Amount("4"), Amount("2"), Amount("3.6"), Amount("1.2")});
  EXPECT_EQ(placed[0].where, Placement::kCommitted);
  EXPECT_EQ(placed[0].cost, Amount("0"));
  EXPECT_EQ(placed[1].where, Placement::kCommitted);
  EXPECT_EQ(placed[2].where, Placement::kSpot);
  EXPECT_EQ(placed[2].cost, Amount("1.2"));
}

// A static overlay of -40 % would go on buying on demand; the plan is used up after two nodes.
TEST(MarginalTest, StopsWhereThePlanIsUsedUp) {
  const auto placed = PlaceNodes(8, {Amount("4"), Amount("2"), Amount("3.6"), Amount("1.2")});
  EXPECT_EQ(CountOf(placed, Placement::kCommitted), 2);
  EXPECT_EQ(CountOf(placed, Placement::kSpot), 6);
}

// m5d.12xlarge: spot 1.56, on demand 2.712. Spot wins only where nothing committed is left, or
// the plan's discount is below 42.5 %.
TEST(MarginalTest, SpotDearerThanThePlanIsNotTaken) {
  const Money list = Amount("2.712"), spot = Amount("1.56");
  const auto at_discount = [&](std::int64_t permille) {
    return Money::FromNanos(list.nanos() * (1'000 - permille) / 1'000);
  };
  const auto where = [&](std::int64_t permille) {
    return PlaceNodes(1, {Amount("0"), Amount("1"), at_discount(permille), spot}).front().where;
  };
  EXPECT_EQ(where(424), Placement::kSpot);
  EXPECT_EQ(where(425), Placement::kOnDemand);
  EXPECT_EQ(PlaceNodes(1, {Amount("3"), Amount("1.6"), list, spot}).front().where,
            Placement::kCommitted);
}

// 2 x 0.3492 and 1 x 0.6984: the same price is no reason to take the risk.
TEST(MarginalTest, AnEqualSpotPriceIsNotTaken) {
  const auto placed = PlaceNodes(1, {Amount("0"), Amount("1"), Amount("0.6984"), Amount("0.6984")});
  EXPECT_EQ(placed.front().where, Placement::kOnDemand);
}

// One reserved slot and many pods: one is free, the rest are priced.
TEST(MarginalTest, AReservedSlotIsFilledOnce) {
  const auto placed = PlaceNodes(10'000, {Amount("1"), Amount("1"), Amount("2"), std::nullopt});
  EXPECT_EQ(CountOf(placed, Placement::kCommitted), 1);
  EXPECT_EQ(CountOf(placed, Placement::kOnDemand), 9'999);
}

}  // namespace
}  // namespace plimsoll
