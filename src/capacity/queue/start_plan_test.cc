#include "capacity/queue/start_plan.h"

#include <gtest/gtest.h>

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

constexpr Window kLatest{AtMillis(0), AtMillis(1'000'000)};

TEST(StartPlanTest, AGapIsTakenOnlyByWhoIsDoneBeforeItCloses) {
  Room room(ClusterOf({4, 4}));
  GangPlaces held{{0, 1, 0}};
  room.Take(Need(1, 4).shape, held);
  StartPlan plan(room, AtMillis(0), Millis(1));
  plan.AddRun(Need(1, 4).shape, held, AtMillis(100));
  const auto both = plan.Earliest(Need(2, 4), Millis(50), kLatest);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->at, AtMillis(100));
  plan.Reserve(Need(2, 4).shape, both->places, {AtMillis(100), AtMillis(150)});
  EXPECT_EQ(plan.Earliest(Need(1, 4), Millis(100), kLatest)->at, AtMillis(0));
  EXPECT_EQ(plan.Earliest(Need(1, 4), Millis(101), kLatest)->at, AtMillis(150));
  EXPECT_EQ(plan.Earliest(Need(1, 4), Millis(101), {AtMillis(0), AtMillis(150)}), std::nullopt);
}

TEST(StartPlanTest, StartsAreRoundedUpToTheResolution) {
  Room room(ClusterOf({4}));
  GangPlaces held{{0, 1, 0}};
  room.Take(Need(1, 4).shape, held);
  StartPlan plan(room, AtMillis(10), Millis(60));
  plan.AddRun(Need(1, 4).shape, held, AtMillis(100));
  EXPECT_EQ(plan.Earliest(Need(1, 1), Millis(5), {AtMillis(10), kLatest.until})->at, AtMillis(130));
}

TEST(StartPlanTest, CpuIsPlannedLikeGpus) {
  Room room(ClusterOf({4}, 0, 8'000));
  GangNeed need = Need(1, 1);
  need.shape.cpu_milli = 6'000;
  GangPlaces held{{0, 1, 0}};
  room.Take(need.shape, held);
  StartPlan plan(room, AtMillis(0), Millis(1));
  plan.AddRun(need.shape, held, AtMillis(70));
  EXPECT_EQ(plan.Earliest(need, Millis(5), kLatest)->at, AtMillis(70));
  need.shape.cpu_milli = 2'000;
  EXPECT_EQ(plan.Earliest(need, Millis(5), kLatest)->at, AtMillis(0));
}

TEST(StartPlanTest, WhoHasStartedSinceCountsOnce) {
  Room room(ClusterOf({4}));
  StartPlan plan(room, AtMillis(0), Millis(1));
  GangPlaces held{{0, 1, 0}};
  room.Take(Need(1, 2).shape, held);
  plan.AddStart(Need(1, 2).shape, held, AtMillis(40));
  EXPECT_EQ(plan.Earliest(Need(1, 2), Millis(5), kLatest)->at, AtMillis(0));
  EXPECT_EQ(plan.Earliest(Need(1, 3), Millis(5), kLatest)->at, AtMillis(40));
}

}  // namespace
}  // namespace plimsoll
