// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/slurm_topology.h"

#include <gtest/gtest.h>

#include "capacity/topology/gang_fixture.h"

namespace plimsoll {
namespace {

// Two spines; leaves of 2, 2 and 2 nodes below the first, 4 and 4 below the second.
Cluster Tree() {
  std::vector<NodeSketch> nodes;
  const auto add = [&](const char* spine, const char* leaf, int count) {
    for (int i = 0; i < count; ++i) nodes.push_back({{spine, leaf}, 8});
  };
  add("s1", "a", 2);
  add("s1", "b", 2);
  add("s1", "c", 2);
  add("s2", "d", 4);
  add("s2", "e", 4);
  return ClusterOf({"spine", "leaf"}, nodes);
}

std::vector<NodeId> Nodes(const SwitchOutcome& outcome) {
  std::vector<NodeId> nodes;
  for (const NodePods& node : outcome.gang.nodes) nodes.push_back(node.node);
  return nodes;
}

TEST(SlurmTopologyTest, TheLowestSwitchWithEnoughNodesAndOfTheseTheFullest) {
  const Cluster tree = Tree();
  EXPECT_EQ(Nodes(PlaceOnSwitches(tree, {Gpus(8), 2, 0})), (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(Nodes(PlaceOnSwitches(tree, {Gpus(8), 3, 0})), (std::vector<NodeId>{6, 7, 8}));
  const SwitchOutcome five = PlaceOnSwitches(tree, {Gpus(8), 5, 0});
  EXPECT_EQ(Nodes(five), (std::vector<NodeId>{0, 1, 2, 3, 4})) << "the first spine has 6";
  EXPECT_EQ(five.switches, 3);
}

TEST(SlurmTopologyTest, ALimitOfSwitchesGoesBeforeTheTighterFit) {
  const Cluster tree = Tree();
  const SwitchOutcome two = PlaceOnSwitches(tree, {Gpus(8), 6, 2});
  EXPECT_TRUE(two.within_limit);
  EXPECT_EQ(two.switches, 2);
  EXPECT_EQ(two.gang.nodes.front().node, 6U);
  const SwitchOutcome one = PlaceOnSwitches(tree, {Gpus(8), 6, 1});
  EXPECT_FALSE(one.within_limit) << "it waits for max_switch_wait, then takes this";
  EXPECT_EQ(one.switches, 3);
  EXPECT_EQ(one.gang.nodes.size(), 6U);
}

TEST(SlurmTopologyTest, TheLastLeafIsTheOneThatFitsBest) {
  Cluster tree = ClusterOf(
      {"spine", "leaf"},
      {{{"s", "a"}}, {{"s", "a"}}, {{"s", "a"}}, {{"s", "b"}}, {{"s", "b"}}, {{"s", "c"}}});
  const SwitchOutcome four = PlaceOnSwitches(tree, {Gpus(8), 4, 0});
  EXPECT_EQ(Nodes(four), (std::vector<NodeId>{0, 1, 2, 5}));
  EXPECT_EQ(four.switches, 2);
}

TEST(SlurmTopologyTest, NoSwitchConnectsTwoTrees) {
  const Cluster tree = Tree();
  const SwitchOutcome nine = PlaceOnSwitches(tree, {Gpus(8), 9, 0});
  EXPECT_EQ(nine.gang.shortage, GangShortage::kDomain);
  EXPECT_EQ(nine.gang.largest, 8);
  EXPECT_EQ(nine.gang.slots, 14);
  EXPECT_EQ(PlaceOnSwitches(tree, {Gpus(8), 15, 0}).gang.shortage, GangShortage::kCount);
}

TEST(SlurmTopologyTest, SegmentsStayWholeInTheirBlocks) {
  const Cluster racks = RacksOf({18, 18, 17}, 4);
  const auto gang = BlockGang(racks, {Gpus(4), 32, 16});
  ASSERT_TRUE(gang);
  const GangOutcome outcome = PlaceGang(racks, *gang);
  ASSERT_EQ(outcome.nodes.size(), 32U);
  std::vector<int> in_block(3, 0);
  for (const NodePods& node : outcome.nodes) ++in_block[racks.node(node.node).domains[0]];
  for (const int nodes : in_block) EXPECT_EQ(nodes % 16, 0);
  const auto three = BlockGang(racks, {Gpus(4), 54, 18});
  ASSERT_TRUE(three);
  EXPECT_EQ(PlaceGang(racks, *three).shortage, GangShortage::kCount);
  EXPECT_EQ(PlaceGang(racks, *BlockGang(racks, {Gpus(4), 51, 17})).nodes.size(), 51U);
  EXPECT_EQ(PlaceGang(racks, *BlockGang(racks, {Gpus(4), 52, 4})).shortage, GangShortage::kSlices);
}

TEST(SlurmTopologyTest, SegmentsThatCannotBeAreRefused) {
  const Cluster racks = RacksOf({18, 18}, 4);
  EXPECT_EQ(BlockGang(racks, {Gpus(4), 20, 16}).error().message,
            "segment 16 does not divide 20 nodes: ask for a multiple of it, or for another "
            "segment");
  EXPECT_EQ(BlockGang(racks, {Gpus(4), 20, 20}).error().message,
            "segment 20 is larger than the largest block, of 18 nodes");
  EXPECT_EQ(BlockGang(racks, {Gpus(4), 20, 0})->topology.slice_pods, 0);
}

TEST(SlurmTopologyTest, ARackWithBadNodesGivesWholeSegments) {
  // NVIDIA's GB200 study: racks of 18 with b nodes out.
  const auto usable = [](std::int64_t bad, std::int64_t segment) {
    const std::vector<std::int64_t> rack = {18 - bad};
    return UsableNodes(rack, segment);
  };
  EXPECT_EQ(usable(0, 18), 18);
  EXPECT_EQ(usable(1, 18), 0);
  EXPECT_EQ(usable(1, 9), 9);
  EXPECT_EQ(usable(0, 16), 16);
  EXPECT_EQ(usable(2, 16), 16) << "tolerates two";
  EXPECT_EQ(usable(3, 16), 0);
  for (std::int64_t bad = 0; bad <= 18; ++bad) {
    const Cluster rack = RacksOf({18}, 4);
    Cluster broken = rack;
    for (NodeId node = 0; node < bad; ++node) broken.SetUp(node, false);
    GangPlacer placer(broken);
    for (const int segment : {1, 4, 9, 16, 18}) {
      EXPECT_EQ(placer.Capacity(Gpus(4), segment, 0).in_domains * segment, usable(bad, segment));
    }
  }
}

}  // namespace
}  // namespace plimsoll
