// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/defragmentation.h"

#include <gtest/gtest.h>

#include "capacity/model/test_mig.h"
#include "capacity/topology/gang_fixture.h"

namespace plimsoll {
namespace {

// Jobs that hold whole GPUs of a cluster.
class DefragmentationTest : public ::testing::Test {
 protected:
  // A job with a pod of `gpus` on each of the nodes.
  void Run(std::vector<NodeId> nodes, std::int32_t gpus, std::int64_t cost_hours) {
    MovableJob job;
    for (const NodeId node : nodes) {
      const GpuSet set = cluster_.ChooseGpus(node, Gpus(gpus));
      cluster_.Take(node, Gpus(gpus), set);
      job.pods.push_back({node, Gpus(gpus), set});
    }
    job.cost = WholeGpuHours(cost_hours);
    job.request = Gang(static_cast<std::int32_t>(nodes.size()), gpus);
    jobs_.push_back(std::move(job));
  }
  std::optional<DefragmentationAdvice> Advise(const GangRequest& gang, std::int64_t steps = 9'999) {
    return AdviseDefragmentation(cluster_, jobs_, gang, {steps});
  }
  std::string Domain(const DefragmentationAdvice& advice) const {
    return cluster_.tree().at(advice.domain).name;
  }

  Cluster cluster_ = RacksOf({2, 2, 2}, 8);
  std::vector<MovableJob> jobs_;
};

using Jobs = std::vector<std::uint32_t>;

TEST_F(DefragmentationTest, OneRackIsClearedNotPiecesOfTwo) {
  // kueue#10929: every rack has a job; a gang that needs a full rack.
  Run({0}, 4, 5);
  Run({2}, 1, 3);
  Run({3}, 1, 3);
  Run({4}, 2, 9);
  const auto advice = Advise(Gang(2, 8, RequiredAt(0)));
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ(advice->move, (Jobs{0})) << "not the two cheap ones of r1, which cost 6 together";
  EXPECT_EQ(Domain(*advice), "r0");
  EXPECT_EQ(advice->cost, WholeGpuHours(5));
  EXPECT_EQ(advice->cost_bound, advice->cost);
  EXPECT_EQ(advice->gpus_moved, 4);
  EXPECT_EQ(advice->nodes, (std::vector<NodePods>{{0, 1}, {1, 1}}));
  EXPECT_TRUE(advice->wait.empty()) << "r1 and r2 have room for it";
}

TEST_F(DefragmentationTest, NothingMovesWhereTheGangFits) {
  Run({0}, 4, 5);
  const auto advice = Advise(Gang(2, 8, RequiredAt(0)));
  ASSERT_TRUE(advice.has_value());
  EXPECT_TRUE(advice->move.empty());
  EXPECT_EQ(advice->cost, GpuHours());
  EXPECT_EQ(Domain(*advice), "r1");
}

TEST_F(DefragmentationTest, JobsThatFindNoOtherPlaceAreNamed) {
  for (NodeId node = 0; node < 6; ++node) Run({node}, 8, node == 3 ? 1 : 10);
  const auto advice = Advise(Gang(1, 8, RequiredAt(0)));
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ(advice->move, (Jobs{3}));
  EXPECT_EQ(advice->wait, (Jobs{3}));
}

TEST_F(DefragmentationTest, NoAdviceWhereNoDomainIsLargeEnough) {
  Run({0}, 1, 1);
  EXPECT_FALSE(Advise(Gang(3, 8, RequiredAt(0))).has_value());
  for (NodeId node = 0; node < 6; ++node) TakeGpus(cluster_, node, 7);  // of others, who stay
  EXPECT_FALSE(Advise(Gang(1, 8, RequiredAt(0))).has_value());
}

TEST_F(DefragmentationTest, AJobOfTwoRacksCostsTheSameWhicheverItLeaves) {
  Run({0, 2}, 8, 4);
  Run({1}, 8, 3);
  Run({3}, 8, 2);
  Run({4, 5}, 8, 7);
  const auto advice = Advise(Gang(2, 8, RequiredAt(0)));
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ(advice->move, (Jobs{0, 2}));
  EXPECT_EQ(advice->cost, WholeGpuHours(6));
  EXPECT_EQ(advice->gpus_moved, 24);
}

TEST(DefragmentationCardsTest, ACardOfManyPartsIsDrainedOnce) {
  PodShape half = Gpus(1), cut = MigPod(kMig3g);
  half.gpu_milli = 500;
  cut.cpu_milli = cut.memory_mib = 0;
  for (const PodShape& shape : {half, cut}) {
    Cluster cluster = RacksOf({1}, 2);
    cluster.SetMig(A100s());
    MovableJob job;
    job.request = Gang(2, 1);
    job.request.shape = shape;
    for (int pod = 0; pod < 2; ++pod) {
      const GpuSet set = cluster.ChooseGpus(0, shape);
      cluster.Take(0, shape, set);
      job.pods.push_back({0, shape, set});
    }
    ASSERT_EQ(cluster.free(0).whole_gpus, 1);
    const std::vector<MovableJob> jobs{job};
    const auto advice = AdviseDefragmentation(cluster, jobs, Gang(1, 2, RequiredAt(0)));
    ASSERT_TRUE(advice.has_value());
    EXPECT_EQ(advice->move, (Jobs{0}));
    EXPECT_EQ(advice->gpus_moved, 1);
  }
}

TEST_F(DefragmentationTest, ASearchThatEndsEarlySaysHowFarOffItMayBe) {
  for (NodeId node = 0; node < 6; ++node) {
    for (NodeId i = 0; i < 4; ++i) Run({node}, 2, 3 + (node * 5 + i * 7) % 11);
  }
  const auto exact = Advise(Gang(3, 4, RequiredAt(0)), 1'000'000);
  const auto quick = Advise(Gang(3, 4, RequiredAt(0)), 0);
  ASSERT_TRUE(exact.has_value() && quick.has_value());
  EXPECT_EQ(exact->cost, exact->cost_bound);
  EXPECT_LE(quick->cost_bound, exact->cost);
  EXPECT_LE(exact->cost, quick->cost);
}

TEST(RestartCostTest, IsWhatWasDoneSinceTheCheckpointAndTheWayBack) {
  TrainingJob job;
  job.shape = {0, 0, 8, kMilliPerGpu, kAnyFlavor};
  job.pods = 2;
  job.checkpoint.restart = Minutes(5);
  job.checkpoint.warm_up = Minutes(10);
  EXPECT_EQ(RestartCost(job, Minutes(45)), WholeGpuHours(16));
  job.pods = 1;
  job.shape = {0, 0, 1, 1, kAnyFlavor};
  EXPECT_EQ(RestartCost(job, Millis(1)), GpuMillis(901)) << "rounded up";
}

}  // namespace
}  // namespace plimsoll
