// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_snapshot.h"

#include <gtest/gtest.h>

#include "capacity/topology/tas_fixture.h"

namespace plimsoll {
namespace {

TEST(TasSnapshotTest, OnlyReadyNodesWithEveryLevelAndTheFlavorsLabelsCount) {
  std::vector<KubeNode> nodes(5, Host("b1", "r1", "x", 1));
  const char* names[] = {"x0", "x1", "x2", "x3", "x4"};
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].labels[kHost] = nodes[i].name = names[i];
  nodes[1].ready = false;
  nodes[2].unschedulable = true;
  nodes[3].labels.erase(kRack);
  nodes[0].labels["gpu"] = "h100";
  const TasSnapshot snapshot({"default", {kBlock, kRack, kHost}, {{"gpu", "h100"}}, {}}, nodes);
  ASSERT_EQ(snapshot.leaves().size(), 1U);
  EXPECT_EQ(snapshot.domains()[snapshot.leaves()[0].domain].id, "x0");
  EXPECT_EQ(snapshot.level(1).size(), 1U);
}

TEST(TasSnapshotTest, AboveHostsALeafIsAllNodesOfItsValues) {
  const TasSnapshot snapshot =
      SnapshotOf({Host("b1", "r1", "x1", 2), Host("b1", "r1", "x2", 3), Host("b2", "r1", "x3", 1)},
                 {kBlock, kRack});
  ASSERT_EQ(snapshot.leaves().size(), 2U);
  EXPECT_EQ(snapshot.leaves()[0].free.at("cpu"), 5'000);
  EXPECT_FALSE(snapshot.leaves()[0].node.has_value());
  const std::vector<std::string> values = {"b2", "r1"};
  ASSERT_TRUE(snapshot.Lowest(values).has_value());
  EXPECT_EQ(snapshot.domains()[*snapshot.Lowest(values)].id, "b2,r1");
}

TEST(TasSnapshotTest, DomainsAreOrderedByTheirValues) {
  const TasSnapshot snapshot =
      SnapshotOf({Host("b2", "r9", "x1", 1), Host("b1", "r2", "x2", 1), Host("b1", "r1", "x3", 1)});
  const auto racks = snapshot.level(1);
  ASSERT_EQ(racks.size(), 3U);
  EXPECT_EQ(snapshot.domains()[racks[0]].id, "b1,r1");
  EXPECT_EQ(snapshot.domains()[racks[2]].id, "b2,r9");
  EXPECT_EQ(snapshot.domains()[racks[2]].order, 2U);
  const std::vector<std::string> x2 = {"x2"};
  EXPECT_EQ(snapshot.domains()[snapshot.Ancestor(*snapshot.Lowest(x2), 0)].id, "b1");
}

TEST(TasSnapshotTest, UsageOfDomainsThatAreGoneIsDropped) {
  TasSnapshot snapshot = SnapshotOf({Host("b1", "r1", "x1", 4)});
  const std::vector<std::string> here = {"x1"}, gone = {"x2"};
  snapshot.AddUsage(here, {{"cpu", 1'000}}, 2);
  snapshot.AddUsage(gone, {{"cpu", 1'000}}, 2);
  snapshot.AddPod("x1", {{"cpu", 500}});
  snapshot.AddPod("elsewhere", {{"cpu", 500}});
  EXPECT_EQ(snapshot.leaves()[0].used, (ResourceAmounts{{"cpu", 2'000}, {"pods", 2}}));
  EXPECT_EQ(snapshot.leaves()[0].free, (ResourceAmounts{{"cpu", 3'500}, {"pods", 99}}));
}

}  // namespace
}  // namespace plimsoll
