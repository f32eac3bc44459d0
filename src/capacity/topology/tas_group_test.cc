// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_group.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

TEST(TasGroupTest, AssignmentsNameHostsAloneOrWholePaths) {
  const std::vector<KubeNode> nodes = {Host("b1", "r1", "x1", 2)};
  const TasGates gates;
  const TasPodSet podset = PodSetOf(1, RequiredIn(kBlock));
  const TasSnapshot hosts = SnapshotOf(nodes), racks = SnapshotOf(nodes, {kBlock, kRack});
  const auto on_host = FindPodSets({hosts, gates, false, {}}, podset, nullptr);
  ASSERT_TRUE(on_host);
  EXPECT_EQ(on_host->workers, OnHosts({{"x1", 1}}));
  EXPECT_FALSE(on_host->leader.has_value());
  const auto in_rack = FindPodSets({racks, gates, false, {}}, podset, nullptr);
  ASSERT_TRUE(in_rack);
  EXPECT_EQ(in_rack->workers, (TasAssignment{{kBlock, kRack}, {{{"b1", "r1"}, 1}}}));
}

TEST(TasGroupTest, AssumedPodsCountAgainstThePodLimitToo) {
  const TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 5)});
  const TasGates gates;
  TasGroupSearch search{snapshot, gates, false, {}};
  search.Assume(OnHosts({{"x1", 3}}), {{"cpu", 1'000}});
  EXPECT_EQ(search.assumed.at("x1"), (ResourceAmounts{{"cpu", 3'000}, {"pods", 3}}));
  EXPECT_TRUE(FindPodSets(search, PodSetOf(2, RequiredIn(kHost)), nullptr));
  EXPECT_FALSE(FindPodSets(search, PodSetOf(3, RequiredIn(kHost)), nullptr));
}

TEST(TasGroupTest, APlaceCanBeBoundToADomain) {
  const TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 1), Host("b1", "r2", "x2", 1)});
  const TasGates gates;
  const TasGroupSearch search{snapshot, gates, false, {}};
  const auto found = FindPodSets(search, PodSetOf(1, RequiredIn(kHost)), nullptr, "b1,r2");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->workers, OnHosts({{"x2", 1}}));
}

TEST(TasGroupTest, TolerationsOfTheFlavorCountAsThePodsOwn) {
  std::vector<KubeNode> nodes = {Host("b1", "r1", "x1", 1)};
  nodes[0].taints = {{"gpu", "yes", TaintEffect::kNoSchedule}};
  const TasGates gates;
  const TasPodSet podset = PodSetOf(1, RequiredIn(kHost));
  const TasSnapshot bare = SnapshotOf(nodes);
  EXPECT_FALSE(FindPodSets({bare, gates, false, {}}, podset, nullptr));
  const TasSnapshot tolerant(
      {"default", {kBlock, kRack, kHost}, {}, {{"gpu", TolerationOperator::kExists, "", {}}}},
      nodes);
  EXPECT_TRUE(FindPodSets({tolerant, gates, false, {}}, podset, nullptr));
}

}  // namespace
}  // namespace plimsoll
