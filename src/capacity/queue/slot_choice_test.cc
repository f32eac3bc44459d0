#include "capacity/queue/slot_choice.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "capacity/queue/queue_fixture.h"
#include "capacity/queue/room.h"

namespace plimsoll {
namespace {

using queue_fixture::ClusterOf;

TEST(SlotChoiceTest, AgreesWithTheRoomThatReadsItsIndex) {
  std::mt19937 random(11);
  const auto whole = [&](int low, int high) {
    return low + static_cast<std::int32_t>(random() % static_cast<unsigned>(high - low + 1));
  };
  for (int round = 0; round < 3'000; ++round) {
    std::vector<std::int32_t> gpus;
    for (int node = whole(1, 7); node > 0; --node) gpus.push_back(whole(0, 8));
    Room room(ClusterOf(gpus, static_cast<std::size_t>(whole(1, 3))));
    GangNeed need;
    need.shape.gpus = whole(1, 4);
    need.pods = whole(1, 8);
    need.pods_min = whole(1, need.pods);
    need.topology.mode = static_cast<TopologyMode>(whole(0, 2));
    std::vector<std::int32_t> slots(gpus.size());
    for (NodeId id = 0; id < gpus.size(); ++id) slots[id] = room.cluster().Slots(id, need.shape);
    GangPlaces by_slots, by_index;
    const std::vector<NodeId> order = room.TightestFirst(kAnyFlavor);
    ASSERT_EQ(ChooseBySlots(room.cluster(), need, slots, order, by_slots),
              room.Place(need, by_index));
    // Within a domain the room fills nodes as Kueue does, the largest first.
    if (need.topology.mode == TopologyMode::kNone) {
      ASSERT_EQ(by_slots, by_index) << round;
    }
    ASSERT_EQ(PodsOf(by_slots), PodsOf(by_index)) << round;
  }
}

TEST(SlotChoiceTest, WholeSlicesOnlyInTheSmallestDomainThatSuffices) {
  const Cluster cluster = ClusterOf({3, 3, 2, 4}, 2);
  const std::vector<std::int32_t> slots{3, 3, 2, 4};
  std::vector<NodeId> order(4);
  std::iota(order.begin(), order.end(), NodeId{0});
  GangNeed need;
  need.pods = need.pods_min = 4;
  need.topology = {TopologyMode::kRequired, 0, 2, 1};
  GangPlaces places;
  ASSERT_TRUE(ChooseBySlots(cluster, need, slots, order, places));
  EXPECT_EQ(places, (GangPlaces{{0, 2, 0}, {1, 2, 0}}));  // 4 in pairs there, 6 in the other rack
  need.pods = need.pods_min = 6;
  ASSERT_TRUE(ChooseBySlots(cluster, need, slots, order, places));
  EXPECT_EQ(places, (GangPlaces{{3, 4, 0}, {2, 2, 0}}));
  need.pods = need.pods_min = 8;
  EXPECT_FALSE(ChooseBySlots(cluster, need, slots, order, places));
  EXPECT_TRUE(places.empty());
}

}  // namespace
}  // namespace plimsoll
