#include "capacity/queue/room.h"

#include <gtest/gtest.h>

#include "capacity/model/test_mig.h"
#include "capacity/queue/queue_fixture.h"

namespace plimsoll {
namespace {

using queue_fixture::ClusterOf;

GangNeed Need(std::int32_t pods, std::int32_t gpus) {
  GangNeed need;
  need.pods = need.pods_min = pods;
  need.shape.gpus = gpus;
  return need;
}

// Places it and takes them; the nodes, one a pod.
std::vector<NodeId> TakeNodes(Room& room, const GangNeed& need) {
  GangPlaces places;
  std::vector<NodeId> nodes;
  if (!room.Place(need, places)) return nodes;
  room.Take(need.shape, places);
  for (const PodsOnNode& place : places) {
    nodes.insert(nodes.end(), static_cast<std::size_t>(place.pods), place.node);
  }
  return nodes;
}

using Nodes = std::vector<NodeId>;

// kueue#1476: free 7, 7, 8; counting 22 free GPUs promises a gang of 2 x 8 that has no place.
TEST(RoomTest, FreeGpusOfSeveralNodesDoNotAddUpForOnePod) {
  Room room(ClusterOf({8, 8, 8}));
  TakeNodes(room, Need(1, 1));
  GangPlaces one{{1, 1, 0}};
  room.Take(Need(1, 1).shape, one);
  EXPECT_FALSE(room.Fits(Need(2, 8)));
  EXPECT_EQ(room.WhyNot(Need(2, 8)), WaitCause::kFragmented);
  EXPECT_EQ(TakeNodes(room, Need(1, 8)), Nodes{2});
}

// kueue#407: nodes with 1 and 2 CPU; A .5, B 1, C 1.5, D .5.
TEST(RoomTest, PodsWithoutGpusGoToTheNodeWithTheLeastCpu) {
  const Cluster cluster({"cpu"}, DomainTree(),
                        {{"n1", 0, 1'000, 0, 0, {}}, {"n2", 0, 2'000, 0, 0, {}}});
  Room room(cluster);
  const auto cpu = [](std::int64_t milli) {
    GangNeed need;
    need.shape.cpu_milli = milli;
    return need;
  };
  EXPECT_EQ(TakeNodes(room, cpu(500)), Nodes{0});
  EXPECT_EQ(TakeNodes(room, cpu(1'000)), Nodes{1});
  EXPECT_EQ(TakeNodes(room, cpu(1'500)), Nodes{});
  EXPECT_EQ(room.WhyNot(cpu(1'500)), WaitCause::kCpuMemory);
  EXPECT_EQ(TakeNodes(room, cpu(500)), Nodes{0});
}

// volcano#1297: A 53 CPU, B 31; X 30 and Y 50 fit in any order.
TEST(RoomTest, TheOrderOfTwoPodsDoesNotMatterWhenEachHasItsNode) {
  const Cluster cluster({"cpu"}, DomainTree(), {{"a", 0, 53, 0, 0, {}}, {"b", 0, 31, 0, 0, {}}});
  for (const bool x_first : {true, false}) {
    Room room(cluster);
    GangNeed x, y;
    x.shape.cpu_milli = 30;
    y.shape.cpu_milli = 50;
    EXPECT_EQ(TakeNodes(room, x_first ? x : y), Nodes{x_first ? 1U : 0U});
    EXPECT_EQ(TakeNodes(room, x_first ? y : x), Nodes{x_first ? 0U : 1U});
  }
}

// kueue#4474 and #3756.
TEST(RoomTest, TheTightestNodesComeFirst) {
  Room room(ClusterOf({2, 1, 1}));
  EXPECT_EQ(TakeNodes(room, Need(2, 1)), (Nodes{1, 2}));
  EXPECT_EQ(TakeNodes(room, Need(1, 2)), Nodes{0});
  Room other(ClusterOf({4, 2}));
  EXPECT_EQ(TakeNodes(other, Need(1, 2)), Nodes{1});
}

// volcano#4368: leaves with 16 and 32 idle GPUs; a small job goes to the smaller.
TEST(RoomTest, TheTightestDomainThatSufficesIsTaken) {
  Room room(ClusterOf({8, 8, 0, 0, 8, 8, 8, 8}, 4));
  GangNeed need = Need(2, 4);
  need.topology.mode = TopologyMode::kRequired;
  EXPECT_EQ(TakeNodes(room, need), (Nodes{0, 0}));
  need.pods = need.pods_min = 5;
  EXPECT_EQ(TakeNodes(room, need), (Nodes{4, 4, 5, 5, 6}));
  EXPECT_FALSE(room.Fits(need));  // 4 + 3 are left
  EXPECT_EQ(room.WhyNot(need), WaitCause::kDomain);
  need.topology.mode = TopologyMode::kPreferred;
  EXPECT_EQ(TakeNodes(room, need).size(), 5U);
}

TEST(RoomTest, ADomainOfOneNodeIsTheLevelBelowAll) {
  Room room(ClusterOf({2, 8, 4}, 3));
  GangNeed need = Need(3, 1);
  need.topology = {TopologyMode::kRequired, 1, 0, 0};
  EXPECT_EQ(TakeNodes(room, need), (Nodes{2, 2, 2}));
  need.pods = need.pods_min = 9;
  EXPECT_EQ(TakeNodes(room, need), Nodes{});
}

TEST(RoomTest, ElasticGangsTakeWhatThereIs) {
  Room room(ClusterOf({2, 3}));
  GangNeed need = Need(8, 1);
  need.pods_min = 6;
  EXPECT_EQ(TakeNodes(room, need), Nodes{});
  need.pods_min = 2;
  EXPECT_EQ(TakeNodes(room, need).size(), 5U);
}

// The example of Kueue's documentation: 6, 5, 4, 3, 2 free, 12 pods in pairs.
TEST(RoomTest, SlicesAreNotSplit) {
  Room room(ClusterOf({6, 5, 4, 3, 2}, 5));
  GangNeed need = Need(12, 1);
  need.topology = {TopologyMode::kRequired, 0, 2, 1};  // in one rack, pairs on one node
  EXPECT_EQ(TakeNodes(room, need), (Nodes{0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 4, 4}));
}

TEST(RoomTest, SharedGpusGoToTheFullestThatTakesThem) {
  Room room(ClusterOf({2, 2}));
  GangNeed half = Need(1, 1);
  half.shape.gpu_milli = 500;
  EXPECT_EQ(TakeNodes(room, half), Nodes{0});
  EXPECT_EQ(TakeNodes(room, Need(1, 2)), Nodes{1});
  EXPECT_EQ(TakeNodes(room, half), Nodes{0});
  EXPECT_EQ(room.cluster().free(0).whole_gpus, 1);
  half.pods = half.pods_min = 3;
  EXPECT_FALSE(room.Fits(half));
  half.pods = half.pods_min = 2;
  EXPECT_EQ(TakeNodes(room, half), (Nodes{0, 0}));
  EXPECT_EQ(room.cluster().gpu_milli_free(), 0);
}

TEST(RoomTest, InstancesOfCutGpusAreTakenAndGivenBack) {
  Cluster cluster({"A100"}, DomainTree(),
                  {{"n0", 0, 32'000, 65'536, 1, {}}, {"n1", 0, 32'000, 65'536, 1, {}}});
  cluster.SetMig(A100s());
  Room room(cluster);
  GangNeed need;
  need.shape = MigPod(kMig3g);
  EXPECT_EQ(TakeNodes(room, need), Nodes{0});
  need.shape = MigPod(kMig4g);
  EXPECT_EQ(TakeNodes(room, need), Nodes{0});  // beside it, not on the whole one
  need.shape = MigPod(kMig1g);
  need.pods = need.pods_min = 8;
  EXPECT_FALSE(room.Fits(need));
  need.pods = need.pods_min = 7;
  GangPlaces places;
  ASSERT_TRUE(room.Place(need, places));
  room.Take(need.shape, places);
  EXPECT_EQ(places.size(), 7U);
  EXPECT_FALSE(room.Fits(Need(1, 1)));
  room.Give(need.shape, places);
  EXPECT_TRUE(room.Fits(Need(1, 1)));
}

TEST(RoomTest, SaysWhatIsMissing) {
  const Cluster cluster({"a", "b"}, DomainTree(),
                        {{"n0", 0, 8'000, 0, 4, {}}, {"n1", 1, 8'000, 0, 8, {}}});
  Room room(cluster);
  GangNeed need = Need(1, 8);
  need.shape.flavors = FlavorSet{0b01};
  EXPECT_EQ(room.WhyNot(need), WaitCause::kFlavor);
  need.shape.flavors = kAnyFlavor;
  need.shape.cpu_milli = 9'000;
  EXPECT_EQ(room.WhyNot(need), WaitCause::kCpuMemory);
  need.shape.cpu_milli = 0;
  room.SetUp(1, false);
  EXPECT_EQ(room.WhyNot(need), WaitCause::kNodeDown);
  room.SetUp(1, true);
  TakeNodes(room, Need(1, 8));
  EXPECT_EQ(room.WhyNot(need), WaitCause::kBusy);
}

class LastNode : public NodeChooser {
 public:
  std::optional<PodPlace> Choose(const Cluster& cluster, const PodShape& shape) override {
    for (auto id = static_cast<NodeId>(cluster.size()); id-- > 0;) {
      if (cluster.Fits(id, shape)) return PodPlace{id, cluster.ChooseGpus(id, shape)};
    }
    return std::nullopt;
  }
  std::unique_ptr<NodeChooser> Clone() const override { return std::make_unique<LastNode>(); }
};

TEST(RoomTest, AChooserSaysWhichNodesAndAllOfAGangOrNone) {
  Room room(ClusterOf({2, 2}));
  LastNode chooser;
  GangPlaces places;
  EXPECT_TRUE(room.Place(Need(3, 1), chooser, places));
  EXPECT_EQ(places.size(), 3U);
  EXPECT_EQ(places[0].node, 1U);
  EXPECT_EQ(places[2].node, 0U);
  EXPECT_EQ(room.cluster().gpu_milli_free(), 4'000);
  EXPECT_FALSE(room.Place(Need(5, 1), chooser, places));
  EXPECT_TRUE(places.empty());
  EXPECT_EQ(room.cluster().gpu_milli_free(), 4'000);
}

}  // namespace
}  // namespace plimsoll
