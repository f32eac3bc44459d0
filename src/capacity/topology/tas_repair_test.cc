// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_repair.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

// Two racks of a block; x2 is the node that was lost.
TasSnapshot AfterTheLoss() {
  return SnapshotOf({Host("b1", "r1", "x1", 2), Host("b1", "r2", "x3", 2),
                     Host("b1", "r1", "x4", 2), Host("b2", "r1", "x5", 9)});
}

std::string Repaired(TasSnapshot snapshot, const TasPodSet& podset, const TasAssignment& admitted,
                     bool single_pod = false) {
  for (const TasDomainPods& domain : admitted.domains) {
    snapshot.AddUsage(domain.values, podset.pod, domain.count);
  }
  TasOptions options;
  options.repair = TasRepair{{{podset.name, admitted}}, "x2", single_pod};
  return Assign(snapshot, podset, options);
}

TEST(TasRepairTest, OnlyThePodsOfTheLostNodeMove) {
  const TasSnapshot snapshot = AfterTheLoss();
  EXPECT_EQ(Repaired(snapshot, PodSetOf(3, PreferredIn(kRack)), OnHosts({{"x1", 2}, {"x2", 1}})),
            "x1:2 x4:1");
}

TEST(TasRepairTest, TheyStayWithinTheRequiredDomain) {
  const TasSnapshot snapshot = AfterTheLoss();
  const TasAssignment admitted = OnHosts({{"x1", 2}, {"x2", 2}});
  EXPECT_EQ(Repaired(snapshot, PodSetOf(4, RequiredIn(kRack)), admitted), "x1:2 x4:2");
  EXPECT_EQ(Repaired(snapshot, PodSetOf(5, RequiredIn(kRack)), OnHosts({{"x1", 2}, {"x2", 3}})),
            "topology \"default\" allows to fit only 2 out of 3 pod(s). Total nodes: 4; excluded: "
            "resource \"cpu\": 1, topologyDomain: 2");
}

TEST(TasRepairTest, AnotherLostHostMakesTheAssignmentInvalid) {
  EXPECT_EQ(
      Repaired(AfterTheLoss(), PodSetOf(2, RequiredIn(kBlock)), OnHosts({{"x2", 1}, {"x9", 1}})),
      "Cannot replace the node, because the existing topologyAssignment is invalid, as it "
      "contains the stale domain x9");
}

TEST(TasRepairTest, ALonePodIsNotMovedOffItsNode) {
  EXPECT_EQ(Repaired(AfterTheLoss(), PodSetOf(1, RequiredIn(kHost)), OnHosts({{"x2", 1}}), true),
            "x2:1");
  EXPECT_EQ(Repaired(AfterTheLoss(), PodSetOf(1, RequiredIn(kHost)), OnHosts({{"x2", 1}})), "x1:1");
}

TEST(TasRepairTest, ABrokenSliceIsMadeWholeWhereItLies) {
  // A slice of 4 in rack r1 lost one pod; r2 and b2 have room, but the slice is in r1.
  const TasPodSet podset = PodSetOf(4, WithSlices(RequiredIn(kBlock), {{kRack, 4}}));
  EXPECT_EQ(Repaired(AfterTheLoss(), podset, OnHosts({{"x1", 2}, {"x2", 1}, {"x4", 1}})),
            "x1:2 x4:2");
}

class ResizeTest : public ::testing::Test {
 protected:
  std::string Resized(std::int32_t count, const TasAssignment& previous) {
    TasPodSet podset = PodSetOf(count, Anywhere());
    podset.previous = previous;
    TasOptions options;
    options.gates.elastic_slices = true;
    return Assign(snapshot_, podset, options);
  }
  TasSnapshot snapshot_ =
      SnapshotOf({Host("b1", "r1", "x1", 2), Host("b1", "r1", "x2", 2), Host("b1", "r1", "x3", 2)});
};

TEST_F(ResizeTest, PodsThatRunStayWhereTheyAre) {
  EXPECT_EQ(Resized(4, OnHosts({{"x1", 1}, {"x3", 1}})), "x1:1 x2:2 x3:1");
  EXPECT_EQ(Resized(2, OnHosts({{"x1", 1}, {"x3", 1}})), "x1:1 x3:1");
  EXPECT_EQ(Resized(3, OnHosts({{"x1", 2}, {"x3", 2}})), "x1:2 x3:1");
}

TEST_F(ResizeTest, AnAssignmentWithALostHostIsMadeAnew) {
  EXPECT_EQ(Resized(2, OnHosts({{"x9", 1}, {"x3", 1}})), "x1:2");
}

TEST_F(ResizeTest, MoreThanThereIsHasTheReasonOfTheMissingPods) {
  EXPECT_EQ(Resized(7, OnHosts({{"x1", 2}})),
            "topology \"default\" allows to fit only 4 out of 5 pod(s). Total nodes: 3; excluded: "
            "resource \"cpu\": 1");
}

}  // namespace
}  // namespace plimsoll
