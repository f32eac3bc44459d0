// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_reason.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

TEST(TasReasonTest, SaysHowManyFitAndWhatKeepsNodesOut) {
  const TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 1)});
  const TasNeed pods = {.count = 4};
  TasExclusions exclusions;
  EXPECT_EQ(NotFitReason(snapshot, pods, 3, exclusions),
            "topology \"default\" allows to fit only 3 out of 4 pod(s)");
  exclusions.leaves = 9;
  exclusions.node_selector = 2;
  EXPECT_EQ(NotFitReason(snapshot, {.count = 4, .slice_size = 2}, 0, exclusions),
            "topology \"default\" doesn't allow to fit any of 2 slice(s). Total nodes: 9; "
            "excluded: nodeSelector: 2");
  EXPECT_EQ(NoDomainsReason(snapshot, 1), "no topology domains at level: rack");
}

TEST(TasReasonTest, OfSlicesInSlicesEachLayerIsCountedInTheBestDomain) {
  const TasSnapshot snapshot =
      SnapshotOf({Host("b1", "r1", "x1", 4), Host("b1", "r2", "x2", 4), Host("b1", "r3", "x3", 4)});
  EXPECT_EQ(
      Assign(snapshot, PodSetOf(12, WithSlices(RequiredIn(kBlock), {{kRack, 6}, {kHost, 2}}))),
      "topology \"default\" doesn't allow to fit; 0/2 slice(s) fit on level rack; 6/6 "
      "slice(s) fit on level kubernetes.io/hostname");
}

}  // namespace
}  // namespace plimsoll
