// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_counts.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

TEST(TasCountsTest, TheScarcestResourceCountsAndOfEqualOnesTheFirstByName) {
  EXPECT_EQ(CountIn({{"cpu", 2}, {"gpu", 1}}, {{"cpu", 8}, {"gpu", 3}}).count, 3);
  EXPECT_EQ(CountIn({{"cpu", 2}, {"gpu", 1}}, {{"cpu", 8}, {"gpu", 3}}).limit, "gpu");
  EXPECT_EQ(CountIn({{"cpu", 2}, {"gpu", 1}}, {}).limit, "cpu");
  EXPECT_EQ(CountIn({{"cpu", 2}}, {{"cpu", -5}}).count, 0) << "more is used than there is";
  EXPECT_EQ(CountIn({{"cpu", 0}, {"pods", 1}}, {{"pods", 7}}).count, 7);
  EXPECT_EQ(CountIn({}, {{"cpu", 1}}).count, 0);
}

TEST(TasCountsTest, TheLeaderCostsADomainWhatItCostsWhereItCostsLeast) {
  const TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 3), Host("b1", "r1", "x2", 2)});
  TasPodNeed pod;
  pod.pod = {{"cpu", 2'000}};
  pod.leader = {{"cpu", 1'000}};
  const TasNeed need = {.count = 2, .leaders = 1, .level = 0, .slice_level = 2};
  TasExclusions exclusions;
  const TasStates states = CountDomains(snapshot, pod, need, {}, exclusions);
  const TasDomainState& block = states[snapshot.level(0)[0]];
  EXPECT_EQ(block.pods, 2);
  EXPECT_EQ(block.pods_with_leader, 2) << "x1 has a CPU to spare for it";
  EXPECT_EQ(block.leaders, 1);
  EXPECT_EQ(exclusions.leaves, 2);
  EXPECT_FALSE(exclusions.any());
}

TEST(TasCountsTest, SlicesBesideALeaderAreCountedWhereItCostsLeast) {
  const TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 4), Host("b1", "r1", "x2", 5)});
  TasPodNeed pod;
  pod.pod = pod.leader.emplace() = {{"cpu", 1'000}};
  const TasNeed need = {.count = 8, .leaders = 1, .slice_size = 2, .level = 0, .slice_level = 2};
  TasExclusions exclusions;
  const TasStates states = CountDomains(snapshot, pod, need, {}, exclusions);
  EXPECT_EQ(states[snapshot.level(2)[0]].slices_with_leader, 1);
  EXPECT_EQ(states[snapshot.level(0)[0]].slices_with_leader, 4);
}

TEST(TasCountsTest, WhereOnlyOneOfTheNodesTakesALeaderItsCostIsThatNodes) {
  std::vector<KubeNode> nodes = {Host("b1", "r1", "x1", 2), Host("b1", "r1", "x2", 2)};
  nodes[0].allocatable["ram"] = 1;
  const TasSnapshot snapshot = SnapshotOf(nodes);
  TasPodNeed pod;
  pod.pod = {{"cpu", 1'000}};
  pod.leader = {{"cpu", 1'000}, {"ram", 1}};
  const TasNeed need = {.count = 4, .leaders = 1, .level = 0, .slice_level = 2};
  TasExclusions exclusions;
  const TasStates states = CountDomains(snapshot, pod, need, {}, exclusions);
  EXPECT_EQ(states[snapshot.level(0)[0]].pods_with_leader, 3);
}

TEST(TasCountsTest, SlicesWithinSlicesRoundWhatChildrenGive) {
  const TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 3), Host("b1", "r1", "x2", 3)});
  TasPodNeed pod;
  pod.pod = {{"cpu", 1'000}};
  TasNeed need = {.count = 4, .slice_size = 4, .level = 0, .slice_level = 1};
  TasExclusions exclusions;
  EXPECT_EQ(CountDomains(snapshot, pod, need, {}, exclusions)[snapshot.level(1)[0]].pods, 6);
  need.inner_sizes = {{2, 2}};
  const TasStates states = CountDomains(snapshot, pod, need, {}, exclusions);
  EXPECT_EQ(states[snapshot.level(1)[0]].pods, 4);
  EXPECT_EQ(states[snapshot.level(1)[0]].slices, 1);
}

TEST(TasCountsTest, EveryExcludedLeafHasOneReason) {
  std::vector<KubeNode> nodes;
  for (const char* name : {"x1", "x2", "x3", "x4", "x5"}) {
    nodes.push_back(Host("b1", "r1", name, 1));
  }
  nodes[0].taints = {{"key", "value", TaintEffect::kNoSchedule}};
  nodes[1].labels["zone"] = "z2";
  nodes[2].labels["zone"] = nodes[3].labels["zone"] = nodes[4].labels["zone"] = "z1";
  nodes[3].allocatable["cpu"] = 100;
  nodes[4].labels["old"] = "yes";
  TasPodNeed pod;
  pod.pod = {{"cpu", 1'000}};
  pod.node_selector = {{"zone", "z1"}};
  pod.affinity.required = {{{"old", LabelOperator::kDoesNotExist, {}}}};
  TasExclusions exclusions;
  CountDomains(SnapshotOf(nodes), pod, {.count = 1, .slice_level = 2}, {}, exclusions);
  EXPECT_EQ(exclusions.Text(),
            "affinity: 1, nodeSelector: 1, resource \"cpu\": 1, taint \"key=value:NoSchedule\": 1");
}

TEST(TasCountsTest, UsageIsTakenOffUnlessAnEmptyTopologyIsAskedFor) {
  TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 4)});
  const std::vector<std::string> x1 = {"x1"};
  snapshot.AddUsage(x1, {{"cpu", 1'000}}, 2);
  TasPodNeed pod;
  pod.pod = {{"cpu", 1'000}};
  const TasNeed need = {.count = 1, .slice_level = 2};
  const AssumedUsage assumed = {{"x1", {{"cpu", 1'000}}}};
  TasExclusions exclusions;
  const auto pods = [&] {
    return CountDomains(snapshot, pod, need, assumed, exclusions)[snapshot.level(0)[0]].pods;
  };
  EXPECT_EQ(pods(), 1);
  pod.simulate_empty = true;
  EXPECT_EQ(pods(), 3);
  pod.within = "b1,r";
  EXPECT_EQ(pods(), 0) << "r is no rack, only the beginning of a name";
  pod.within = "b1,r1";
  EXPECT_EQ(pods(), 3);
}

}  // namespace
}  // namespace plimsoll
