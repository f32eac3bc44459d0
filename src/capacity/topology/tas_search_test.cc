// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_search.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

TasSnapshot Hosts(const std::vector<std::int64_t>& cpus) {
  std::vector<KubeNode> nodes;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    nodes.push_back(Host("b1", "r1", "x" + std::to_string(i + 1), cpus[i]));
  }
  return SnapshotOf(nodes);
}

TEST(TasSearchTest, BestFitUsesFewHostsAndLeastFreeManySmallOnes) {
  const TasSnapshot hosts = Hosts({3, 3, 2, 1});
  EXPECT_EQ(Assign(hosts, PodSetOf(7, RequiredIn(kRack))), "x1:3 x2:3 x4:1");
  EXPECT_EQ(Assign(hosts, PodSetOf(7, Anywhere())), "x1:3 x2:1 x3:2 x4:1");
}

TEST(TasSearchTest, SlicesOfTwoStayWholeOnTheirHosts) {
  const TasSnapshot hosts = Hosts({6, 5, 4, 3, 2});
  EXPECT_EQ(Assign(hosts, PodSetOf(12, WithSlices(RequiredIn(kBlock), {{kHost, 2}}))),
            "x1:6 x3:4 x5:2");
  TasPodSet anywhere = PodSetOf(10, {});
  anywhere.topology->slices = {{kHost, 2}};
  EXPECT_EQ(Assign(hosts, anywhere), "x2:2 x3:4 x4:2 x5:2");
}

TEST(TasSearchTest, RacksAreSavedBeforeHosts) {
  const TasSnapshot racks =
      SnapshotOf({Host("b1", "r1", "x3", 2), Host("b1", "r2", "x5", 2), Host("b1", "r3", "x1", 1),
                  Host("b1", "r3", "x6", 1), Host("b1", "r3", "x2", 1), Host("b1", "r3", "x4", 1)});
  EXPECT_EQ(Assign(racks, PodSetOf(4, RequiredIn(kBlock))), "x1:1 x2:1 x4:1 x6:1");
}

TEST(TasSearchTest, PreferredClimbsRequiredDoesNot) {
  const TasSnapshot racks =
      SnapshotOf({Host("b1", "r1", "x1", 2), Host("b1", "r2", "x2", 1), Host("b2", "r1", "x3", 2)});
  EXPECT_EQ(Assign(racks, PodSetOf(3, PreferredIn(kRack))), "x1:2 x2:1");
  EXPECT_EQ(Assign(racks, PodSetOf(5, PreferredIn(kRack))), "x1:2 x2:1 x3:2");
  EXPECT_EQ(Assign(racks, PodSetOf(3, RequiredIn(kRack))),
            "topology \"default\" allows to fit only 2 out of 3 pod(s)");
  EXPECT_EQ(Assign(racks, PodSetOf(6, PreferredIn(kRack))),
            "topology \"default\" allows to fit only 5 out of 6 pod(s)");
}

TEST(TasSearchTest, TheGateOfTheMixedProfileTurnsLeastFreeOff) {
  TasOptions options;
  options.gates.profile_mixed = false;
  EXPECT_EQ(Assign(Hosts({3, 3, 2, 1}), PodSetOf(7, Anywhere()), options), "x1:3 x2:3 x4:1");
}

TEST(TasSearchTest, SlicesInSlicesAreWholeOnEveryLevel) {
  const TasSnapshot racks = SnapshotOf({Host("b1", "r1", "x1", 3), Host("b1", "r1", "x2", 3),
                                        Host("b1", "r2", "x3", 5), Host("b1", "r2", "x4", 1)});
  EXPECT_EQ(Assign(racks, PodSetOf(8, WithSlices(RequiredIn(kBlock), {{kRack, 4}, {kHost, 2}}))),
            "x1:2 x2:2 x3:4");
}

TEST(TasSearchTest, WithPreferredAffinityAWorseDomainIsTakenOnlyIfTheBetterOneIsTooSmall) {
  std::vector<KubeNode> nodes = {Host("b1", "r1", "x1", 2), Host("b1", "r2", "x2", 4)};
  nodes[0].labels["near"] = "yes";
  const TasSnapshot racks = SnapshotOf(nodes);
  TasOptions options;
  options.gates.preferred_affinity = true;
  TasPodSet podset = PodSetOf(2, RequiredIn(kRack));
  podset.affinity.preferred = {{10, {{"near", LabelOperator::kExists, {}}}}};
  EXPECT_EQ(Assign(racks, podset, options), "x1:2");
  podset.count = 3;
  EXPECT_EQ(Assign(racks, podset, options), "x2:3");
  podset.count = 5;
  EXPECT_EQ(Assign(racks, podset, options),
            "topology \"default\" allows to fit only 2 out of 5 pod(s)");
}

}  // namespace
}  // namespace plimsoll
