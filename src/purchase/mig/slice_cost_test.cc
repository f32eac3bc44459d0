#include "purchase/mig/slice_cost.h"

#include <gtest/gtest.h>

#include "purchase/mig/test_cards.h"

namespace plimsoll {
namespace {

SliceCosts Cost(const std::vector<std::string>& names, const char* card) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const auto costs = CostSlices(a100, *a100.Find(CountsOf(a100, names)), *Money::Parse(card));
  EXPECT_TRUE(costs.has_value());
  return *costs;
}

TEST(SliceCostTest, TheLargerOfComputeAndMemoryIsCharged) {
  // 3g takes half of the memory, so half of the card; two of them all of it.
  EXPECT_EQ(Cost({"3g", "3g"}, "2").instances,
            (std::vector<Money>{Money::Units(1), Money::Units(1)}));
  const SliceCosts one = Cost({"1g"}, "7");
  EXPECT_EQ(one.instances[0], Money::Units(1));
  EXPECT_EQ(one.free, Money::Units(6));
  EXPECT_EQ(one.stranded, Money());
}

TEST(SliceCostTest, MoreThanACardIsDividedInProportion) {
  // 4/7 and 1/2 are 15/14 of a card.
  const SliceCosts costs = Cost({"4g", "3g"}, "15");
  EXPECT_EQ(costs.instances[0], Money::Units(8));
  EXPECT_EQ(costs.instances[1], Money::Units(7));
}

TEST(SliceCostTest, EveryPartitionOfEveryCardAddsUpToTheCard) {
  const Money card = *Money::Parse("2.123456789");
  for (const char* name : {"A30", "A100-40GB", "A100-80GB", "H100-SXM-80GB", "H100-NVL"}) {
    const MigGeometry geometry = GeometryOf(name);
    for (const MigPartition& partition : geometry.partitions()) {
      const auto costs = CostSlices(geometry, partition, card);
      ASSERT_TRUE(costs.has_value());
      Money sum = costs->stranded + costs->free;
      for (const Money part : costs->instances) {
        EXPECT_GT(part, Money());
        sum += part;
      }
      EXPECT_EQ(sum, card) << name;
      if (partition.maximal) {
        EXPECT_EQ(costs->free, Money()) << name;
      }
    }
  }
}

TEST(SliceCostTest, StrandedSlicesAreARemainder) {
  // Slots 0 to 3 hold 1g; the half behind them 3g. Sum 4/7 + 1/2: no rest.
  EXPECT_EQ(Cost({"3g", "1g", "1g", "1g", "1g"}, "1").stranded, Money());
  // 2g 2g 2g 1g: 3/4 by memory and 1/7: 50/56; one memory slice (7/56) can be used by nobody.
  const SliceCosts costs = Cost({"2g", "2g", "2g", "1g"}, "56");
  EXPECT_EQ(costs.stranded, Money::Units(0));
}

}  // namespace
}  // namespace plimsoll
