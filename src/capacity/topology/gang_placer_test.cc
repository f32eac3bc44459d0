// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/gang_placer.h"

#include <gtest/gtest.h>

#include "capacity/topology/gang_fixture.h"

namespace plimsoll {
namespace {

using Nodes = std::vector<NodePods>;

TEST(GangPlacerTest, RequiredTakesTheSmallestDomainThatSuffices) {
  // volcano#4368: leaves with 16 and 32 idle GPUs; a small job goes to the first.
  const Cluster cluster = RacksOf({4, 2}, 8);
  EXPECT_EQ(PlaceGang(cluster, Gang(2, 8, RequiredAt(0))).nodes, (Nodes{{4, 1}, {5, 1}}));
  EXPECT_EQ(PlaceGang(cluster, Gang(3, 8, RequiredAt(0))).nodes, (Nodes{{0, 1}, {1, 1}, {2, 1}}));
}

TEST(GangPlacerTest, ASinglePodTakesTheNodeThatFitsBest) {
  // kueue#3756: needs 2, nodes have 4 and 2 free.
  const Cluster cluster = ClusterOf({"rack"}, {{{"r1"}, 8, 4}, {{"r1"}, 8, 2}});
  EXPECT_EQ(PlaceGang(cluster, Gang(1, 2, RequiredAt(0))).nodes, (Nodes{{1, 1}}));
  EXPECT_EQ(PlaceGang(cluster, Gang(2, 1, RequiredAt(0))).nodes, (Nodes{{1, 2}}));
}

TEST(GangPlacerTest, WithoutAWishPodsFillTheFullestNodesAndLeaveRoomForLargerOnes) {
  // kueue#4474: 2, 1 and 1 free; 2 x 1 GPU, then 1 x 2 GPUs.
  Cluster cluster = ClusterOf({"rack"}, {{{"r1"}, 8, 2}, {{"r1"}, 8, 1}, {{"r1"}, 8, 1}});
  GangPlacer placer(cluster);
  EXPECT_EQ(placer.Place(Gang(3, 1)).nodes, (Nodes{{0, 1}, {1, 1}, {2, 1}}));
  const GangOutcome two = placer.Place(Gang(2, 1));
  EXPECT_EQ(two.nodes, (Nodes{{1, 1}, {2, 1}}));
  for (const NodePods& node : two.nodes) {
    TakeGpus(cluster, node.node, node.pods);
    placer.NodeChanged(node.node);
  }
  EXPECT_EQ(placer.Place(Gang(1, 2)).nodes, (Nodes{{0, 1}}));
}

TEST(GangPlacerTest, PreferredClimbsAndThenUsesFewDomainsLargestFirst) {
  const Cluster cluster = ClusterOf({"zone", "rack"}, {{{"A", "r1"}, 2},
                                                       {{"A", "r2"}, 1},
                                                       {{"A", "r3"}, 1},
                                                       {{"A", "r4"}, 1},
                                                       {{"B", "r1"}, 2},
                                                       {{"B", "r2"}, 2},
                                                       {{"B", "r3"}, 2}});
  // KAI's example: zone A has 5 and is the better fit for 3; there r1 gives 2 and r2 one.
  EXPECT_EQ(PlaceGang(cluster, Gang(3, 1, PreferredAt(1))).nodes, (Nodes{{0, 2}, {1, 1}}));
  EXPECT_EQ(PlaceGang(cluster, Gang(3, 1, RequiredAt(0))).nodes, (Nodes{{0, 2}, {1, 1}}));
  const GangOutcome all = PlaceGang(cluster, Gang(11, 1, PreferredAt(1)));
  EXPECT_EQ(all.nodes.size(), 7U);
  EXPECT_EQ(PlaceGang(cluster, Gang(12, 1, PreferredAt(1))).shortage, GangShortage::kCount);
}

TEST(GangPlacerTest, ARefusalSaysWhetherTheCountOrTheDomainIsShort) {
  const Cluster cluster = RacksOf({2, 3}, 8);
  const GangOutcome domain = PlaceGang(cluster, Gang(4, 8, RequiredAt(0)));
  EXPECT_EQ(domain.shortage, GangShortage::kDomain);
  EXPECT_EQ(domain.slots, 5);
  EXPECT_EQ(domain.largest, 3);
  EXPECT_TRUE(domain.nodes.empty());
  const GangOutcome count = PlaceGang(cluster, Gang(6, 8, RequiredAt(0)));
  EXPECT_EQ(count.shortage, GangShortage::kCount);
  const GangOutcome slices =
      PlaceGang(ClusterOf({"block", "rack"}, {{{"b", "r1"}, 3}, {{"b", "r2"}, 3}}),
                Gang(6, 1, {TopologyMode::kRequired, 0, 2, 1}));
  EXPECT_EQ(slices.shortage, GangShortage::kSlices);
  EXPECT_EQ(slices.largest, 4);
}

TEST(GangPlacerTest, OneOfTwoGangsGetsTheOnlyFreeDomain) {
  // kueue#14570, volcano#3373.
  Cluster cluster = RacksOf({2, 1, 1}, 8);
  GangPlacer placer(cluster);
  const GangRequest gang = Gang(2, 8, RequiredAt(0));
  const GangOutcome first = placer.Place(gang);
  ASSERT_TRUE(first.placed());
  for (const NodePods& node : first.nodes) {
    TakeGpus(cluster, node.node, 8 * node.pods);
    placer.NodeChanged(node.node);
  }
  const GangOutcome second = placer.Place(gang);
  EXPECT_EQ(second.shortage, GangShortage::kDomain);
  EXPECT_TRUE(second.nodes.empty()) << "all of it or nothing";
  EXPECT_FALSE(placer.Fits(gang));
}

TEST(GangPlacerTest, AllPodsOfOneGangStartOrNoneDo) {
  // volcano#3373: two gangs of 100 pods on 100 slots.
  std::vector<NodeSketch> sketches(10, NodeSketch{{"r1"}, 10});
  Cluster cluster = ClusterOf({"rack"}, sketches);
  GangPlacer placer(cluster);
  const GangOutcome first = placer.Place(Gang(100, 1));
  std::int32_t pods = 0;
  for (const NodePods& node : first.nodes) {
    pods += node.pods;
    TakeGpus(cluster, node.node, node.pods);
    placer.NodeChanged(node.node);
  }
  EXPECT_EQ(pods, 100);
  EXPECT_EQ(placer.Place(Gang(100, 1)).shortage, GangShortage::kCount);
}

TEST(GangPlacerTest, Gb200RacksOf18StrandWhatIsLessThanASlice) {
  // kueue#10815: ten racks of 18 nodes with 4 GPUs, two nodes missing; slices of 16 pods.
  const Cluster cluster = RacksOf({18, 18, 18, 18, 18, 18, 18, 18, 18, 16}, 4);
  GangPlacer placer(cluster);
  const TopologyRequest slices = {TopologyMode::kNone, 0, 16, 0};
  const GangOutcome ten = placer.Place(Gang(160, 4, slices));
  ASSERT_TRUE(ten.placed());
  EXPECT_EQ(ten.nodes.size() * 4, 640U);
  EXPECT_EQ(cluster.gpu_milli_total() / kMilliPerGpu, 712);
  const GangOutcome eleven = placer.Place(Gang(176, 4, slices));
  EXPECT_EQ(eleven.shortage, GangShortage::kSlices);
  EXPECT_EQ(eleven.slots, 178);
  const GangCapacity capacity = placer.Capacity(Gpus(4), 16, 0);
  EXPECT_EQ(capacity.in_domains, 10);
  EXPECT_EQ(capacity.by_count, 11);
  EXPECT_EQ(712 - capacity.in_domains * 16 * 4, 72);
}

TEST(GangPlacerTest, AnNvl72RackHoldsAJobOf17NodesAndOneSpare) {
  // KAI#577.
  Cluster cluster = RacksOf({18, 18}, 4);
  GangPlacer placer(cluster);
  for (std::uint32_t rack = 0; rack < 2; ++rack) {
    const GangOutcome job = placer.Place(Gang(17, 4, RequiredAt(0)));
    ASSERT_EQ(job.nodes.size(), 17U);
    for (const NodePods& node : job.nodes) {
      EXPECT_EQ(cluster.node(node.node).domains[0], rack) << "two jobs need two racks";
      TakeGpus(cluster, node.node, 4);
      placer.NodeChanged(node.node);
    }
  }
  EXPECT_EQ(placer.Capacity(Gpus(4), 1, 0).largest, 1);
}

TEST(GangPlacerTest, CountingFreeGpusOverstatesWhatStartsInOneDomain) {
  // marin#6950: 64 hosts of 8 GPUs in 15 groups.
  const Cluster cluster = RacksOf({1, 1, 2, 2, 2, 3, 3, 3, 5, 5, 6, 6, 6, 8, 11}, 8);
  GangPlacer placer(cluster);
  const GangCapacity four = placer.Capacity(Gpus(8), 4, 0);
  EXPECT_EQ(four.in_domains, 9);
  EXPECT_EQ(four.by_count, 16);
  EXPECT_EQ(four.domains_enough, 7);
  EXPECT_EQ(placer.Capacity(Gpus(8), 8, 0).domains_enough, 2);
  const auto slots = placer.SlotsByDomain(Gpus(8), 0);
  EXPECT_EQ(slots.size(), 15U);
  EXPECT_EQ(slots[14], 11);
}

TEST(GangPlacerTest, NobodyIsEvictedWhereNoNodeCouldHoldTheGangAnyway) {
  // kueue#5243: on each of four nodes six pods that stay and two that may go; 8 GPUs on one node.
  Cluster cluster = ClusterOf({"rack"}, {{{"r1"}}, {{"r1"}}, {{"r1"}}, {{"r1"}}});
  std::vector<HeldPod> low;
  for (NodeId node = 0; node < 4; ++node) {
    TakeGpus(cluster, node, 6);
    for (int i = 0; i < 2; ++i) {
      low.push_back({node, Gpus(1), cluster.ChooseGpus(node, Gpus(1))});
      cluster.Take(node, Gpus(1), low.back().gpus);
    }
  }
  GangPlacer placer(cluster);
  EXPECT_FALSE(placer.PlaceWithout(cluster, low, Gang(1, 8, RequiredAt(1))).placed());
  EXPECT_EQ(placer.PlaceWithout(cluster, low, Gang(1, 1)).nodes, (Nodes{{0, 1}}));
  EXPECT_EQ(cluster.gpu_milli_free(), 0) << "nothing was really given back";
  EXPECT_EQ(placer.Place(Gang(1, 1)).shortage, GangShortage::kCount);
}

TEST(GangPlacerTest, VictimsOnANodeThatIsDownMakeNoRoom) {
  Cluster cluster = RacksOf({1}, 2);
  const HeldPod pod = {0, Gpus(2), 0b11};
  cluster.Take(0, pod.shape, pod.gpus);
  cluster.SetUp(0, false);
  GangPlacer placer(cluster);
  EXPECT_FALSE(placer.PlaceWithout(cluster, {&pod, 1}, Gang(1, 2)).placed());
}

TEST(GangPlacerTest, ReplicasOfASharedGpuAreNotGpus) {
  // karpenter#729: quarters of one GPU take four pods that ask for a quarter, none for a whole.
  Cluster cluster = RacksOf({1}, 1);
  const PodShape quarter = {0, 0, 1, 250, kAnyFlavor};
  cluster.Take(0, quarter, 0b1);
  EXPECT_TRUE(PlaceGang(cluster, {quarter, 3, {}}).placed());
  EXPECT_FALSE(PlaceGang(cluster, {quarter, 4, {}}).placed());
  EXPECT_FALSE(PlaceGang(cluster, Gang(1, 1)).placed());
}

TEST(GangPlacerTest, AGangOfWholeNodesWaitsWhereOnlyOneIsFreeAndASmallerOneStarts) {
  // kueue#1476: 7, 7 and 8 free; 2 x 8, then 1 x 8.
  const Cluster cluster = ClusterOf({"rack"}, {{{"r1"}, 8, 7}, {{"r1"}, 8, 7}, {{"r1"}, 8, 8}});
  const GangOutcome two = PlaceGang(cluster, Gang(2, 8));
  EXPECT_EQ(two.shortage, GangShortage::kCount);
  EXPECT_EQ(two.slots, 1) << "although 22 GPUs are free";
  EXPECT_EQ(PlaceGang(cluster, Gang(1, 8)).nodes, (Nodes{{2, 1}}));
}

TEST(GangPlacerTest, PodsWithoutGpusMayBeManyOnANode) {
  const Cluster cluster(
      {"cpu"}, DomainTree(),
      {{"a", 0, 100'000, 0, 0, {}}, {"b", 0, 80'000, 0, 0, {}}, {"c", 0, 3'000, 0, 0, {}}});
  const PodShape shape = {1'000, 0, 0, kMilliPerGpu, kAnyFlavor};
  EXPECT_EQ(PlaceGang(cluster, {shape, 150, {}}).nodes, (Nodes{{0, 67}, {1, 80}, {2, 3}}));
  EXPECT_EQ(PlaceGang(cluster, {shape, 80, {}}).nodes, (Nodes{{1, 77}, {2, 3}}));
  EXPECT_EQ(PlaceGang(cluster, {shape, 3, {}}).nodes, (Nodes{{2, 3}}));
  EXPECT_FALSE(PlaceGang(cluster, {shape, 184, {}}).placed());
}

TEST(GangPlacerTest, NodesInNoDomainServeOnlyGangsWithoutAWish) {
  const Cluster cluster = ClusterOf({"rack"}, {{{}, 4}, {{"r1"}, 2}});
  EXPECT_EQ(PlaceGang(cluster, Gang(4, 1)).nodes, (Nodes{{1, 2}, {0, 2}}));
  EXPECT_EQ(PlaceGang(cluster, Gang(6, 1)).nodes, (Nodes{{1, 2}, {0, 4}}));
  EXPECT_EQ(PlaceGang(cluster, Gang(4, 1, RequiredAt(0))).shortage, GangShortage::kDomain);
  EXPECT_EQ(PlaceGang(cluster, Gang(4, 1, PreferredAt(0))).shortage, GangShortage::kDomain);
  EXPECT_EQ(PlaceGang(cluster, Gang(4, 1, PreferredAt(1))).shortage, GangShortage::kDomain);
  EXPECT_EQ(PlaceGang(cluster, Gang(4, 1, RequiredAt(1))).shortage, GangShortage::kDomain);
}

TEST(GangPlacerTest, APlacerOfACopyGoesItsOwnWay) {
  Cluster cluster = RacksOf({2, 1}, 8);
  GangPlacer placer(cluster);
  const GangRequest gang = Gang(2, 8, RequiredAt(0));
  EXPECT_TRUE(placer.Fits(gang));
  TakeGpus(cluster, 2, 8);
  placer.NodeChanged(2);  // not yet in the counts
  Cluster copy = cluster;
  GangPlacer branch = placer.For(copy);
  TakeGpus(copy, 0, 1);
  branch.NodeChanged(0);
  EXPECT_FALSE(branch.Fits(gang));
  EXPECT_TRUE(placer.Fits(gang));
  EXPECT_EQ(branch.Place(Gang(1, 8)).nodes, (Nodes{{1, 1}}));
}

TEST(GangPlacerTest, CountsThatAreFarBehindStartAnew) {
  Cluster cluster = RacksOf({1, 1}, 8);
  GangPlacer placer(cluster);
  EXPECT_TRUE(placer.Fits(Gang(2, 8)));
  cluster.SetUp(0, false);
  for (int i = 0; i < 70'000; ++i) placer.NodeChanged(0);
  EXPECT_FALSE(placer.Fits(Gang(2, 8)));
  EXPECT_TRUE(placer.Fits(Gang(1, 8)));
}

TEST(GangPlacerDeathTest, SlicesAreWhole) {
  const Cluster cluster = RacksOf({4}, 8);
  EXPECT_DEATH(PlaceGang(cluster, Gang(5, 1, {TopologyMode::kRequired, 0, 2, 0})), "slice_pods");
}

}  // namespace
}  // namespace plimsoll
