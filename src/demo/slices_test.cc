#include <map>
#include <set>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

TEST(SlicesTest, ReplicasOnSevenCardsStartAndEndTogether) {
  std::map<std::string, std::set<std::pair<Instant, std::optional<Instant>>>> lives;
  std::map<std::string, std::size_t> replicas;
  for (const DemoPod& pod : Week().pods) {
    if (!pod.resource.starts_with("nvidia.com/mig-")) continue;
    const DemoHold& hold = Week().holds[*pod.hold];
    lives[Week().owners[pod.owner].name].insert({hold.bind, hold.end});
    ++replicas[Week().owners[pod.owner].name];
  }
  EXPECT_EQ(lives.size(), 4U);  // three services, one of them released once
  for (const auto& [set, spans] : lives) {
    EXPECT_EQ(spans.size(), 1U) << set;
    EXPECT_EQ(replicas[set], 7U) << set;
  }
}

TEST(SlicesTest, BusyPercentsOfSevenReplicasAddUpToAMultipleOfSeven) {
  std::map<std::string, std::vector<const DemoUnit*>> units;
  for (const DemoPod& pod : Week().pods) {
    if (!pod.resource.starts_with("nvidia.com/mig-")) continue;
    const DemoHold& hold = Week().holds[*pod.hold];
    units[Week().owners[pod.owner].name].push_back(
        &Week().nodes[hold.node].units[hold.units.front()]);
  }
  for (const auto& [set, of_set] : units) {
    for (std::size_t i = 0; i < Week().twelfths(); ++i) {
      int sum = 0;
      for (const DemoUnit* unit : of_set) sum += unit->percent[i];
      ASSERT_EQ(sum % 7, 0) << set;
    }
  }
}

TEST(SlicesTest, AgentsHoldNoGpuOnPermanentNodes) {
  std::size_t agents = 0;
  for (const DemoPod& pod : Week().pods) {
    if (pod.ns != "monitoring") continue;
    ++agents;
    EXPECT_TRUE(Week().holds[*pod.hold].units.empty());
    EXPECT_NE(Week().nodes[Week().holds[*pod.hold].node].pool, "spot");
  }
  EXPECT_EQ(agents, 6U);
}

}  // namespace
}  // namespace plimsoll
