// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_balance.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

TasOptions Balanced() {
  TasOptions options;
  options.gates.balanced_placement = true;
  return options;
}

TEST(TasBalanceTest, PodsAreSpreadEvenlyOverTheFewestHosts) {
  const TasSnapshot hosts =
      SnapshotOf({Host("b1", "r1", "x1", 4), Host("b1", "r1", "x2", 4), Host("b1", "r1", "x3", 4)});
  EXPECT_EQ(Assign(hosts, PodSetOf(6, PreferredIn(kHost))), "x1:4 x2:2");
  EXPECT_EQ(Assign(hosts, PodSetOf(6, PreferredIn(kHost)), Balanced()), "x1:3 x2:3");
  EXPECT_EQ(Assign(hosts, PodSetOf(7, PreferredIn(kHost)), Balanced()), "x1:4 x2:3");
}

TEST(TasBalanceTest, TheSetWithTheGreatestLeastShareIsChosen) {
  // r1 could take the six as 5 + 1, r2 as 3 + 3.
  const TasSnapshot racks = SnapshotOf({Host("b1", "r1", "x1", 5), Host("b1", "r1", "x2", 1),
                                        Host("b1", "r2", "x3", 3), Host("b1", "r2", "x4", 3)});
  EXPECT_EQ(Assign(racks, PodSetOf(6, PreferredIn(kHost)), Balanced()), "x3:3 x4:3");
}

TEST(TasBalanceTest, WhatIsRequiredIsNotBalanced) {
  const TasSnapshot hosts = SnapshotOf({Host("b1", "r1", "x1", 4), Host("b1", "r1", "x2", 4)});
  EXPECT_EQ(Assign(hosts, PodSetOf(6, RequiredIn(kRack)), Balanced()), "x1:4 x2:2");
}

TEST(TasBalanceTest, OfRacksOfOneSizeTheMoreEvenOneIsChosen) {
  // Both racks take eight; r1 as 5 + 3, r2 as 4 + 4.
  const TasSnapshot racks = SnapshotOf({Host("b1", "r1", "x1", 5), Host("b1", "r1", "x2", 3),
                                        Host("b1", "r2", "x3", 4), Host("b1", "r2", "x4", 4)});
  EXPECT_EQ(Assign(racks, PodSetOf(7, PreferredIn(kRack)), Balanced()), "x3:4 x4:3");
}

TEST(TasBalanceTest, WhatNoSiblingsHoldTogetherFallsBackToBestFit) {
  const TasSnapshot racks = SnapshotOf({Host("b1", "r1", "x1", 3), Host("b1", "r2", "x2", 2)});
  EXPECT_EQ(Assign(racks, PodSetOf(5, PreferredIn(kHost)), Balanced()), "x1:3 x2:2");
}

}  // namespace
}  // namespace plimsoll
