#include <set>

#include "demo/demo_fixture.h"
#include "demo/layout.h"

namespace plimsoll {
namespace {

std::size_t ReplicasAt(const char* service, Instant t) {
  std::size_t count = 0;
  for (const DemoPod& pod : Week().pods) {
    if (!pod.hold || !pod.name.starts_with(std::string(service) + "-")) continue;
    count += Week().holds[*pod.hold].span(Week().window.until).contains(t) ? 1U : 0U;
  }
  return count;
}

TEST(ServingTest, ReplicasFollowHourAndWeekday) {
  for (const char* service : {"chat-8b", "chat-70b"}) {
    const std::size_t night = ReplicasAt(service, kDemoBegin + Days(1) + Hours(4));
    const std::size_t day = ReplicasAt(service, kDemoBegin + Days(1) + Hours(16));
    const std::size_t sunday = ReplicasAt(service, kDemoBegin + Days(6) + Hours(16));
    EXPECT_LT(night, day) << service;
    EXPECT_LT(sunday, day) << service;
    EXPECT_GE(night, 1U) << service;
  }
}

TEST(ServingTest, RollingUpdateReplacesEveryReplica) {
  std::set<std::string> sets;
  for (const DemoPod& pod : Week().pods) {
    if (pod.name.starts_with("chat-8b-")) sets.insert(Week().owners[pod.owner].name);
  }
  EXPECT_EQ(sets.size(), 2U);
}

TEST(ServingTest, FailedCardIsHeldByNobodyForTwoDaysAndItsSuccessorWaits) {
  const DemoNode& node = Week().nodes[NodesOf(Week(), "serve").front()];
  const DemoUnit& unit = node.units[7];
  ASSERT_TRUE(unit.failed.has_value());
  EXPECT_EQ(unit.failed->length(), Days(2) + Minutes(2));
  ASSERT_EQ(unit.holds.size(), 2U);
  EXPECT_EQ(Week().holds[unit.holds[0]].end, unit.failed->begin);
  EXPECT_GE(Week().holds[unit.holds[1]].bind, unit.failed->until);
}

TEST(ServingTest, SuccessorIsPendingIfTheWindowEndsBeforeTheRepair) {
  std::size_t pending = 0;
  for (const DemoPod& pod : TwoDays().pods) pending += pod.hold ? 0U : 1U;
  EXPECT_EQ(pending, 1U);
}

}  // namespace
}  // namespace plimsoll
