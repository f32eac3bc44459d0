#include "capacity/model/node_group.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(NodeGroupTest, AGroupsPriceIsThatOfItsPurchase) {
  NodeGroup group;
  group.prices = {{"on-demand", Money::Units(4)}, {"spot", Money::Units(2)}};
  EXPECT_FALSE(PriceOf(group)) << "nobody said how it is bought";
  group.purchase = "spot";
  EXPECT_EQ(PriceOf(group), Money::Units(2));
  EXPECT_EQ(PriceOf(group, "on-demand"), Money::Units(4));
  EXPECT_FALSE(PriceOf(group, "owned"));
}

TEST(NodeGroupTest, GpusAreThoseOfAllNodes) {
  ClusterSpec facts;
  facts.flavors = {"h100"};
  for (const std::int32_t gpus : {8, 8, 4, 0}) {
    NodeSpec& node = facts.nodes.emplace_back();
    node.name = "n" + std::to_string(facts.nodes.size());
    node.gpus = gpus;
  }
  EXPECT_EQ(facts.gpus(), 20);
  EXPECT_EQ(facts.ToCluster().size(), 4U);
}

}  // namespace
}  // namespace plimsoll
