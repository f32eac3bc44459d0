#include "purchase/mig/mig_plan.h"

#include <gtest/gtest.h>

#include <map>

#include "purchase/mig/test_cards.h"

namespace plimsoll {
namespace {

SliceModel Model(const char* name, std::int64_t gib, std::int64_t replicas = 1) {
  SliceModel model;
  model.name = name;
  model.memory_mib = gib * 1'024;
  model.replicas = replicas;
  return model;
}

std::string ProfileOf(const MigGeometry& geometry, const SliceModel& model) {
  const auto profile = SmallestProfile(geometry, model);
  return profile ? geometry.profiles()[*profile]->name : "none";
}

TEST(MigPlanTest, TheSmallestSliceThatHasWhatIsNeeded) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  EXPECT_EQ(ProfileOf(a100, Model("m", 9)), "1g.10gb");
  // "10gb" has 9.5 GiB: ten do not fit it.
  EXPECT_EQ(ProfileOf(a100, Model("m", 10)), "1g.20gb");
  EXPECT_EQ(ProfileOf(a100, Model("m", 20)), "3g.40gb");
  EXPECT_EQ(ProfileOf(a100, Model("m", 79)), "7g.80gb");
  EXPECT_EQ(ProfileOf(a100, Model("m", 80)), "none");
  SliceModel model = Model("m", 9);
  model.compute_slices = 2;
  EXPECT_EQ(ProfileOf(a100, model), "2g.20gb");
  model.sm_count = 50;
  EXPECT_EQ(ProfileOf(a100, model), "4g.40gb");
  model = Model("m", 9);
  model.bandwidth_percent = 30;  // three eighths: half of the memory
  EXPECT_EQ(ProfileOf(a100, model), "3g.40gb");
}

TEST(MigPlanTest, EveryReplicaHasAnInstanceOfItsOwn) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const std::vector<SliceModel> models{Model("small", 5, 9), Model("middle", 15, 3),
                                       Model("large", 30, 2)};
  const auto plan = PlanMig(a100, models);
  ASSERT_TRUE(plan.has_value());
  std::map<std::string, std::int64_t> placed;
  for (const PackedInstance& instance : plan->instances) {
    ++placed[instance.model->name];
    EXPECT_GE(a100.profiles()[instance.instance.profile]->memory_mib, instance.model->memory_mib);
  }
  EXPECT_EQ(placed,
            (std::map<std::string, std::int64_t>{{"large", 2}, {"middle", 3}, {"small", 9}}));
  EXPECT_EQ(plan->cards_without_mig, 14);
  EXPECT_EQ(plan->cards(), 3);  // 2 x 3g and 9 x 1g and 3 x 1g.20gb: 23 of 24 memory slices
  EXPECT_TRUE(plan->packing.cards_proven);
}

TEST(MigPlanTest, TensorParallelModelsTakeWholeCards) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  std::vector<SliceModel> models{Model("big", 140, 2), Model("small", 5)};
  models[0].tensor_parallel = 2;
  const auto plan = PlanMig(a100, models);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->whole_cards, 4);
  EXPECT_EQ(plan->cards(), 5);
  EXPECT_NE(plan->assignments[0].reason.find("peer-to-peer"), std::string::npos);
  models[0].tensor_parallel = 1;
  const auto wrong = PlanMig(a100, models);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().message.find("big: needs more memory than 1 x"), std::string::npos);
  const std::vector<SliceModel> whole{Model("edge", 80)};
  const auto edge = PlanMig(a100, whole);
  ASSERT_TRUE(edge.has_value());
  EXPECT_EQ(edge->whole_cards, 1);
  EXPECT_EQ(edge->assignments[0].reason, "needs more memory than 7g.80gb has");
}

TEST(MigPlanTest, APodSeesSevenDevicesAtMost) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  std::vector<SliceModel> models{Model("pod", 30)};
  models[0].instances_per_pod = 10;
  const auto plan = PlanMig(a100, models);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->assignments[0].instances, 7);
  ASSERT_EQ(plan->warnings.size(), 1U);
  EXPECT_NE(plan->warnings[0].find("asks for 10 MIG devices a pod, 7 are visible"),
            std::string::npos)
      << plan->warnings[0];
}

TEST(MigPlanTest, AStrandedSliceMakesANeighbourLarger) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const auto upgrade = FindFreeUpgrade(a100, *a100.Find(CountsOf(a100, {"3g", "3g"})));
  ASSERT_TRUE(upgrade.has_value());
  EXPECT_EQ(a100.profiles()[upgrade->from]->name, "3g.40gb");
  EXPECT_EQ(a100.profiles()[upgrade->to]->name, "4g.40gb");
  EXPECT_FALSE(FindFreeUpgrade(a100, *a100.Find(CountsOf(a100, {"4g", "3g"}))).has_value());
}

TEST(MigPlanTest, CardsWhoseSlicesAreNotPublishedAreRefused) {
  const auto plan = PlanMig(GeometryOf("B200"), {Model("m", 5)});
  ASSERT_FALSE(plan.has_value());
  EXPECT_NE(plan.error().message.find("nvidia-smi mig -lgip"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
