#include "demo/demo_fixture.h"
#include "demo/layout.h"

namespace plimsoll {
namespace {

TEST(SpotBatchTest, NodesComeAndGoOnQuarterHours) {
  const std::vector<std::size_t> spot = NodesOf(Week(), "spot");
  EXPECT_GE(spot.size(), 4U);
  for (const std::size_t index : spot) {
    const DemoNode& node = Week().nodes[index];
    EXPECT_EQ(node.begin, FloorTo(node.begin, Minutes(15)));
    if (node.until) {
      EXPECT_EQ(*node.until, FloorTo(*node.until, Minutes(15)));
    }
  }
}

TEST(SpotBatchTest, InterruptionEvictsWhatRunsAndItIsTriedAgain) {
  std::size_t evicted = 0, again = 0;
  for (const DemoPod& pod : Week().pods) {
    if (pod.end_reason != "Evicted") continue;
    ++evicted;
    const DemoHold& hold = Week().holds[*pod.hold];
    EXPECT_EQ(*hold.end + Minutes(1), *Week().nodes[hold.node].until);
    for (const DemoPod& other : Week().pods) {
      again += other.owner == pod.owner && other.created > *hold.end ? 1U : 0U;
    }
  }
  EXPECT_GE(evicted, 3U);
  EXPECT_GE(again, 1U);
}

}  // namespace
}  // namespace plimsoll
