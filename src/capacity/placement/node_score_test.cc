#include "capacity/placement/node_score.h"

#include <gtest/gtest.h>

#include "capacity/model/test_mig.h"

namespace plimsoll {
namespace {

PodShape Gpu(std::int32_t gpus, std::int32_t milli = kMilliPerGpu, std::int64_t cpu = 0) {
  return {cpu, 0, gpus, milli, kAnyFlavor};
}

// A node of 8 GPUs and 128 CPUs, the largest of the published trace, and one of 2 and 32.
Cluster Two() {
  return Cluster({"A"}, DomainTree(),
                 {{"large", 0, 128'000, 0, 8, {}}, {"small", 0, 32'000, 0, 2, {}}});
}

std::int64_t Points(PlacementPolicy policy, const Cluster& cluster, NodeId id,
                    const PodShape& shape) {
  ScoreContext context = ScoreContextOf(cluster, nullptr);
  return ScoreNode(policy, cluster, id, shape, 0, context).points;
}

TEST(NodeScoreTest, PoliciesAreKnownByName) {
  for (const char* name : {"random", "dotprod", "clustering", "packing", "bestfit", "fgd"}) {
    ASSERT_TRUE(ParsePlacementPolicy(name).has_value());
    EXPECT_EQ(NameOf(*ParsePlacementPolicy(name)), name);
  }
  EXPECT_EQ(ParsePlacementPolicy("FGD"), std::nullopt);
}

TEST(NodeScoreTest, BestFitCountsWhatIsLeftOver) {
  const Cluster cluster = Two();
  // (1 - (120/128 + 7/8) / 2) of 100, and (1 - (24/128 + 1/8) / 2).
  EXPECT_EQ(Points(PlacementPolicy::kBestFit, cluster, 0, Gpu(1, 1'000, 8'000)), 9);
  EXPECT_EQ(Points(PlacementPolicy::kBestFit, cluster, 1, Gpu(1, 1'000, 8'000)), 84);
}

TEST(NodeScoreTest, DotProductPrefersTheNodeWithLessFree) {
  const Cluster cluster = Two();
  // 1 - (1 x 1/16 + 1 x 1/8) / 2 and 1 - (1/4 x 1/16 + 1/4 x 1/8) / 2.
  EXPECT_EQ(Points(PlacementPolicy::kDotProduct, cluster, 0, Gpu(1, 1'000, 8'000)), 90);
  EXPECT_EQ(Points(PlacementPolicy::kDotProduct, cluster, 1, Gpu(1, 1'000, 8'000)), 97);
}

TEST(NodeScoreTest, ClusteringHasAQuarterForEachKindOfCompany) {
  Cluster cluster = Two();
  const auto points = [&](const PodShape& shape) {
    return Points(PlacementPolicy::kClustering, cluster, 0, shape);
  };
  EXPECT_EQ(points(Gpu(1)), 25);  // idle: 0 of fullness
  cluster.Take(0, Gpu(2), 0b11);
  EXPECT_EQ(points(Gpu(1)), 6);   // others are there; a quarter full
  EXPECT_EQ(points(Gpu(2)), 81);  // such pods alone
  cluster.Take(0, Gpu(1, 500), 0b100);
  EXPECT_EQ(points(Gpu(2)), 57);  // such pods and others
  EXPECT_EQ(points(Gpu(1, 300)), 57);
  EXPECT_EQ(points(Gpu(0)), 0);
}

TEST(NodeScoreTest, PackingTakesSharedBeforeIdleBeforeIdleNodes) {
  Cluster cluster = Two();
  const auto points = [&](NodeId id, const PodShape& shape) {
    return Points(PlacementPolicy::kPacking, cluster, id, shape);
  };
  EXPECT_EQ(points(0, Gpu(1)), 33 - 8);
  EXPECT_EQ(points(1, Gpu(1)), 33 - 2);
  cluster.Take(0, Gpu(1, 400), 0b1);
  EXPECT_EQ(points(0, Gpu(1, 500)), 100 - 6);  // 600 are left of the shared one
  EXPECT_EQ(points(0, Gpu(1, 700)), 50 - 1);   // an idle one of a node in use
  EXPECT_EQ(points(0, Gpu(4)), 50 - 4);
  EXPECT_EQ(points(0, Gpu(0)), 0);
}

TEST(NodeScoreTest, FgdKeepsAtFiftyWhatStaysAsItIs) {
  Cluster cluster = Two();
  TypicalPods typical;
  typical.pods = {{Gpu(1), 1}};
  typical.count = 1;
  const FragmentationMeasure measure(typical);
  ScoreContext context = ScoreContextOf(cluster, &measure);
  const auto score = [&](NodeId id, const PodShape& shape) {
    FragmentationMeasure::Counts counts;
    const std::int64_t now = measure.Fragmented(NodeIdle(cluster, id), counts);
    return ScoreNode(PlacementPolicy::kFgd, cluster, id, shape, now, context);
  };
  EXPECT_EQ(score(0, Gpu(1)).points, 50);
  const NodeScore half = score(0, Gpu(1, 500));  // breaks a GPU: half of one more is fragmented
  EXPECT_EQ(half.points, 37);
  cluster.Take(0, Gpu(1, 500), 0b10);
  const NodeScore other = score(0, Gpu(1, 500));  // fills the broken one up
  EXPECT_EQ(other.points, 62);
  EXPECT_EQ(other.gpus, 0b10U);
}

TEST(NodeScoreTest, ACutCardIsPackedBeforeAWholeOne) {
  Cluster cluster({"A100"}, DomainTree(),
                  {{"a", 0, 64'000, 65'536, 2, {}}, {"b", 0, 64'000, 65'536, 2, {}}});
  cluster.SetMig(A100s());
  EXPECT_EQ(Points(PlacementPolicy::kPacking, cluster, 0, MigPod(kMig1g)), 31);
  cluster.Take(0, MigPod(kMig3g), 0xF0);
  EXPECT_EQ(Points(PlacementPolicy::kPacking, cluster, 0, MigPod(kMig1g)), 95);
  cluster.Take(0, MigPod(kMig4g), 0x0F);
  EXPECT_EQ(Points(PlacementPolicy::kPacking, cluster, 0, MigPod(kMig1g)), 49);
}

TEST(NodeScoreTest, AClusterWithoutGpusIsScoredByCpu) {
  const Cluster cluster({"cpu"}, DomainTree(),
                        {{"a", 0, 1'000, 0, 0, {}}, {"b", 0, 2'000, 0, 0, {}}});
  EXPECT_EQ(Points(PlacementPolicy::kBestFit, cluster, 0, Gpu(0, 1'000, 500)), 87);
  EXPECT_EQ(Points(PlacementPolicy::kBestFit, cluster, 1, Gpu(0, 1'000, 500)), 62);
}

}  // namespace
}  // namespace plimsoll
