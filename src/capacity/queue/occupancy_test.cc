#include "capacity/queue/occupancy.h"

#include <gtest/gtest.h>

#include "capacity/queue/queue_fixture.h"

namespace plimsoll {
namespace {

using queue_fixture::ClusterOf;

TEST(OccupancyTest, UsedIdleDownAndSpareAreTheCapacity) {
  const Cluster cluster = ClusterOf({2, 4});
  Occupancy occupancy(cluster, 2, AtMillis(100), Millis(50));
  occupancy.SetState(1, NodeState::kSpare, AtMillis(0));
  occupancy.Take(0, 1, 1'000, AtMillis(110));
  occupancy.SetState(1, NodeState::kUp, AtMillis(120));
  occupancy.Take(1, 0, 3'000, AtMillis(120));
  occupancy.Take(1, 0, -3'000, AtMillis(160));
  occupancy.SetState(1, NodeState::kDown, AtMillis(160));
  occupancy.Wait(2, 5'000, AtMillis(150));
  QueueOutcome outcome;
  occupancy.Finish(AtMillis(200), outcome);
  const ClusterTotals& totals = outcome.totals;
  EXPECT_EQ(totals.capacity.base(), 6'000 * 100);
  EXPECT_EQ(totals.used.base(), 1'000 * 90 + 3'000 * 40);
  EXPECT_EQ(totals.spare.base(), 4'000 * 20);
  EXPECT_EQ(totals.down.base(), 4'000 * 40);
  EXPECT_EQ(totals.waiting_ms, 100);
  EXPECT_EQ(static_cast<std::int64_t>(totals.waiting_gpu_micros), 5'000 * 50);
  EXPECT_EQ(outcome.used_by_node[1].base(), 3'000 * 40);
  ASSERT_EQ(outcome.timeline.size(), 2U);
  EXPECT_EQ(outcome.timeline[0].used_by_queue[0].base(), 3'000 * 30);
  EXPECT_EQ(outcome.timeline[1].used_by_queue[1].base(), 1'000 * 50);
  EXPECT_EQ(outcome.timeline[1].down.base(), 4'000 * 40);
  EXPECT_EQ(outcome.timeline[1].waiting.base(), 5'000 * 50);
}

TEST(OccupancyTest, HeldUpIdleFollowsWhatIsIdle) {
  Occupancy occupancy(ClusterOf({4}), 1, AtMillis(0), std::nullopt);
  occupancy.SetHeadOfLine(true, AtMillis(0));
  occupancy.Take(0, 0, 3'000, AtMillis(10));
  occupancy.SetHeadOfLine(false, AtMillis(30));
  QueueOutcome outcome;
  occupancy.Finish(AtMillis(40), outcome);
  EXPECT_EQ(outcome.totals.head_of_line_idle.base(), 4'000 * 10 + 1'000 * 20);
}

}  // namespace
}  // namespace plimsoll
