#include "capacity/placement/placer.h"

#include <gtest/gtest.h>

#include <set>

#include "capacity/model/test_mig.h"

namespace plimsoll {
namespace {

PodShape Cpu(std::int64_t milli) { return {milli, 0, 0, kMilliPerGpu, kAnyFlavor}; }
PodShape Gpu(std::int32_t gpus, std::int32_t milli = kMilliPerGpu) {
  return {0, 0, gpus, milli, kAnyFlavor};
}

Cluster Nodes(const std::vector<std::int64_t>& cpu, const std::vector<std::int32_t>& gpus) {
  std::vector<NodeSpec> nodes;
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    nodes.push_back({"n" + std::to_string(i), 0, cpu[i], 0, gpus[i], {}});
  }
  return Cluster({"A"}, DomainTree(), std::move(nodes));
}

Cluster GpuNodes(const std::vector<std::int32_t>& gpus) {
  return Nodes(std::vector<std::int64_t>(gpus.size(), 64'000), gpus);
}

// Places one pod and takes it; -1 where it waits.
int NodeOf(Placer& placer, Cluster& cluster, const PodShape& shape) {
  const std::optional<Placement> place = placer.Choose(cluster, shape);
  if (!place) return -1;
  cluster.Take(place->node, shape, place->gpus);
  return static_cast<int>(place->node);
}

TEST(PlacerTest, BestFitKeepsTheLargerNodeForTheLargerPod) {
  Cluster cluster = Nodes({1'000, 2'000}, {0, 0});
  Placer placer(cluster, {});
  EXPECT_EQ(NodeOf(placer, cluster, Cpu(500)), 0);
  EXPECT_EQ(NodeOf(placer, cluster, Cpu(1'000)), 1);
  EXPECT_EQ(NodeOf(placer, cluster, Cpu(1'500)), -1);
  EXPECT_EQ(NodeOf(placer, cluster, Cpu(500)), 0);
}

TEST(PlacerTest, TwoPodsFindTheirNodesInAnyOrder) {
  for (const bool small_first : {false, true}) {
    Cluster cluster = Nodes({53'000, 31'000}, {0, 0});
    Placer placer(cluster, {});
    const int first = NodeOf(placer, cluster, Cpu(small_first ? 30'000 : 50'000));
    const int second = NodeOf(placer, cluster, Cpu(small_first ? 50'000 : 30'000));
    EXPECT_EQ(small_first ? first : second, 1);
    EXPECT_EQ(small_first ? second : first, 0);
  }
}

TEST(PlacerTest, SmallPodsLeaveTheNodeThatTakesALargeOne) {
  Cluster cluster = GpuNodes({2, 1, 1});
  Placer placer(cluster, {});
  const auto gang = placer.TakeGang(cluster, Gpu(1), 2);
  ASSERT_TRUE(gang.has_value());
  EXPECT_EQ((std::set<NodeId>{(*gang)[0].node, (*gang)[1].node}), (std::set<NodeId>{1, 2}));
  EXPECT_EQ(NodeOf(placer, cluster, Gpu(2)), 0);
}

TEST(PlacerTest, TheNodeWithJustEnoughIsChosen) {
  Cluster cluster = GpuNodes({4, 2});
  Placer placer(cluster, {});
  EXPECT_EQ(NodeOf(placer, cluster, Gpu(2)), 1);
}

TEST(PlacerTest, AGangStartsWholeOrTakesNothing) {
  Cluster cluster = GpuNodes({8, 8, 8});
  cluster.Take(0, Gpu(1), 1);
  cluster.Take(1, Gpu(1), 1);
  Placer placer(cluster, {});
  const std::int64_t free = cluster.gpu_milli_free();
  EXPECT_EQ(placer.TakeGang(cluster, Gpu(8), 2), std::nullopt);  // 22 are free, 16 are asked for
  EXPECT_EQ(cluster.gpu_milli_free(), free);
  EXPECT_EQ(placer.TakeGang(cluster, Gpu(8), 1)->front().node, 2U);
}

TEST(PlacerTest, SharesOfAGpuAreNoGpus) {
  Cluster cluster = GpuNodes({1});
  Placer placer(cluster, {});
  EXPECT_EQ(placer.TakeGang(cluster, Gpu(1), 4), std::nullopt);
  EXPECT_EQ(placer.TakeGang(cluster, Gpu(1, 250), 4)->size(), 4U);
}

TEST(PlacerTest, FractionsThatMakeAGpuTogetherGoOnOneGpu) {
  Cluster cluster = GpuNodes({2, 2});
  for (const PlacementPolicy policy : {PlacementPolicy::kPacking, PlacementPolicy::kBestFit}) {
    Cluster fresh = cluster;
    Placer placer(fresh, {policy});
    for (const std::int32_t milli : {600, 300, 100}) NodeOf(placer, fresh, Gpu(1, milli));
    EXPECT_EQ(fresh.gpu_milli(0)[0], 0) << NameOf(policy);
  }
}

TEST(PlacerTest, OfEqualNodesTheFirstInTheTieOrderWins) {
  const Cluster cluster = GpuNodes(std::vector<std::int32_t>(50, 8));
  EXPECT_EQ(Placer(cluster, {}).Choose(cluster, Gpu(1))->node, 0U);
  std::set<NodeId> chosen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Placer placer(cluster, {PlacementPolicy::kBestFit, nullptr, true, seed});
    const NodeId first = placer.Choose(cluster, Gpu(1))->node;
    EXPECT_EQ(placer.Choose(cluster, Gpu(1))->node, first);
    chosen.insert(first);
  }
  EXPECT_GT(chosen.size(), 10U);
}

TEST(PlacerTest, RandomUsesEveryNodeAndGpuThatFits) {
  Cluster cluster = GpuNodes({1, 2, 4});
  cluster.Take(0, Gpu(1, 600), 1);
  Placer placer(cluster, {PlacementPolicy::kRandom, nullptr, false, 3});
  std::set<std::pair<NodeId, GpuSet>> places;
  for (int i = 0; i < 300; ++i) {
    const std::optional<Placement> place = placer.Choose(cluster, Gpu(1, 500));
    places.emplace(place->node, place->gpus);
  }
  EXPECT_EQ(places.size(), 2U + 4U);
}

TEST(PlacerTest, InstancesOfCardsGoWhereCardsAreCutAlready) {
  Cluster cluster({"A100"}, DomainTree(),
                  {{"a", 0, 64'000, 65'536, 2, {}}, {"b", 0, 64'000, 65'536, 2, {}}});
  cluster.SetMig(A100s());
  TypicalPods typical;
  typical.pods = {{MigPod(kMig3g), 1}, {Gpu(1), 1}};
  typical.count = 2;
  const FragmentationMeasure measure(typical);
  for (const PlacementPolicy policy : {PlacementPolicy::kPacking, PlacementPolicy::kFgd}) {
    Cluster fresh = cluster;
    Placer placer(fresh, {policy, &measure});
    EXPECT_EQ(NodeOf(placer, fresh, MigPod(kMig3g)), 0) << NameOf(policy);
    EXPECT_EQ(NodeOf(placer, fresh, MigPod(kMig3g)), 0) << NameOf(policy);
    EXPECT_EQ(fresh.free(0).whole_gpus, 1) << NameOf(policy);
    EXPECT_EQ(fresh.slices(0)[0].memory, 0xFF) << NameOf(policy);
  }
}

TEST(PlacerTest, AmongSomeNodesOthersAreLeftAlone) {
  const Cluster cluster = GpuNodes({2, 4, 8});
  Placer placer(cluster, {});
  const NodeId some[] = {2, 1};
  EXPECT_EQ(placer.ChooseAmong(cluster, Gpu(1), some)->node, 1U);
  EXPECT_EQ(placer.ChooseAmong(cluster, Gpu(1), {}), std::nullopt);
}

TEST(PlacerTest, ShapesThatWereForgottenAreScoredAnew) {
  // So many nodes that the scores of 80 shapes are kept; 100 are asked for, round after round.
  const std::size_t nodes = 100'000, kept = ShapesKept(nodes);
  ASSERT_EQ(kept, 80U);
  Cluster cluster = GpuNodes(std::vector<std::int32_t>(nodes, 8));
  Placer one(cluster, {});
  for (int round = 0; round < 2; ++round) {
    for (int i = 1; i <= 100; ++i) {
      PodShape shape = Gpu(1 + i % 8);
      shape.cpu_milli = i;
      const std::optional<Placement> place = one.Choose(cluster, shape);
      ASSERT_TRUE(place.has_value());
      if (i % 25 == 0) {
        EXPECT_EQ(place, Placer(cluster, {}).Choose(cluster, shape));
      }
      cluster.Take(place->node, shape, place->gpus);
    }
  }
}

TEST(PlacerTest, ScoresOfManyShapesAreBounded) {
  for (const std::size_t nodes : {1U, 1'000U, 10'000U, 400'000U}) {
    EXPECT_LE(ShapesKept(nodes) * nodes, 8'000'000U) << nodes;
    EXPECT_GE(ShapesKept(nodes), 16U);
  }
}

TEST(PlacerTest, AChangeOfANodeIsSeen) {
  Cluster cluster = GpuNodes({2, 4});
  Placer placer(cluster, {});
  EXPECT_EQ(placer.Choose(cluster, Gpu(2))->node, 0U);
  cluster.SetUp(0, false);
  EXPECT_EQ(placer.Choose(cluster, Gpu(2))->node, 1U);
  cluster.SetUp(0, true);
  EXPECT_EQ(placer.Choose(cluster, Gpu(2))->node, 0U);
}

}  // namespace
}  // namespace plimsoll
