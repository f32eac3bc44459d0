// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_assign.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

TEST(TasAssignTest, WhatOnePodSetGetsTheNextDoesNot) {
  const TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 2), Host("b1", "r1", "x2", 2)});
  const std::vector<TasPodSet> podsets = {
      PodSetOf(2, RequiredIn(kHost), "one"), PodSetOf(2, RequiredIn(kHost), "two"),
      PodSetOf(1, RequiredIn(kHost), "three"), PodSetOf(1, RequiredIn(kHost), "four")};
  const auto results = AssignPodSets(snapshot, podsets, {});
  EXPECT_EQ(TextOf(results.at("one")), "x1:2");
  EXPECT_EQ(TextOf(results.at("two")), "x2:2");
  EXPECT_FALSE(results.at("three").assignment.has_value());
  EXPECT_FALSE(results.contains("four")) << "the first refusal ends it";
}

TEST(TasAssignTest, ThePodLimitOfANodeCounts) {
  std::vector<KubeNode> nodes = {Host("b1", "r1", "x1", 50)};
  nodes[0].allocatable["pods"] = 3;
  const TasSnapshot snapshot = SnapshotOf(nodes);
  const std::vector<TasPodSet> podsets = {PodSetOf(2, RequiredIn(kHost), "one"),
                                          PodSetOf(2, RequiredIn(kHost), "two")};
  EXPECT_EQ(TextOf(AssignPodSets(snapshot, podsets, {}).at("two")),
            "topology \"default\" allows to fit only 1 out of 2 pod(s)");
}

TEST(TasAssignTest, ALeaderAndItsWorkersShareOneDomain) {
  std::vector<KubeNode> nodes = {Host("b1", "r1", "x1", 2), Host("b2", "r1", "x2", 2),
                                 Host("b2", "r1", "x3", 1)};
  const TasSnapshot snapshot = SnapshotOf(nodes);
  std::vector<TasPodSet> podsets = {PodSetOf(1, RequiredIn(kBlock), "leader"),
                                    PodSetOf(2, RequiredIn(kBlock), "workers")};
  for (TasPodSet& podset : podsets) podset.group = "g";
  const auto results = AssignPodSets(snapshot, podsets, {});
  EXPECT_EQ(TextOf(results.at("leader")), "x2:1");
  EXPECT_EQ(TextOf(results.at("workers")), "x2:1 x3:1");
}

TEST(TasAssignTest, AGroupWithoutAPlaceHasOneReason) {
  const TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 2)});
  std::vector<TasPodSet> podsets = {PodSetOf(1, RequiredIn(kBlock), "leader"),
                                    PodSetOf(2, RequiredIn(kBlock), "workers")};
  for (TasPodSet& podset : podsets) podset.group = "g";
  const auto results = AssignPodSets(snapshot, podsets, {});
  EXPECT_EQ(TextOf(results.at("leader")), TextOf(results.at("workers")));
  EXPECT_EQ(TextOf(results.at("workers")),
            "topology \"default\" allows to fit only 2 out of 2 pod(s)");
}

TEST(TasAssignTest, AnEmptyTopologyIsSimulatedOnRequest) {
  TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 2)});
  const std::vector<std::string> x1 = {"x1"};
  snapshot.AddUsage(x1, {{"cpu", 1'000}}, 2);
  TasOptions options;
  EXPECT_EQ(Assign(snapshot, PodSetOf(2, RequiredIn(kHost)), options),
            "topology \"default\" doesn't allow to fit any of 2 pod(s). Total nodes: 1; excluded: "
            "resource \"cpu\": 1");
  options.simulate_empty = true;
  EXPECT_EQ(Assign(snapshot, PodSetOf(2, RequiredIn(kHost)), options), "x1:2");
}

}  // namespace
}  // namespace plimsoll
