// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/domain_order.h"

#include <gtest/gtest.h>

#include "capacity/topology/gang_fixture.h"

namespace plimsoll {
namespace {

TEST(DomainOrderTest, DomainsAndNodesFollowTheNamesOfTheirPaths) {
  const Cluster cluster = ClusterOf(
      {"block", "rack"}, {{{"b2", "r1"}}, {{"b1", "r2"}}, {{"b1", "r1"}}, {{"b1", "r2"}}});
  const DomainOrder order(cluster);
  ASSERT_EQ(order.size(0), 2U);
  ASSERT_EQ(order.size(1), 3U);
  EXPECT_EQ(cluster.tree().at(order.domain(0, 0)).name, "b1");
  EXPECT_EQ(order.node(0), 2U);  // b1 r1
  EXPECT_EQ(order.node(1), 1U);
  EXPECT_EQ(order.node(2), 3U);
  EXPECT_EQ(order.node(3), 0U);
  EXPECT_EQ(order.place_of(0), 3U);
}

TEST(DomainOrderTest, WhatLiesInADomainIsOneRun) {
  const Cluster cluster = ClusterOf(
      {"block", "rack"}, {{{"b2", "r1"}}, {{"b1", "r2"}}, {{"b1", "r1"}}, {{"b1", "r2"}}});
  const DomainOrder order(cluster);
  EXPECT_EQ(order.children(0, 0).begin, 0U);
  EXPECT_EQ(order.children(0, 0).end, 2U);
  EXPECT_EQ(order.children(0, 1).end, 3U);
  EXPECT_EQ(order.children(1, 1).begin, 1U);
  EXPECT_EQ(order.children(1, 1).end, 3U);
  EXPECT_EQ(order.holder(0, 3), 1U);
  EXPECT_EQ(order.holder(1, 2), 1U);
}

TEST(DomainOrderTest, NodesWithoutALabelComeLastAndLieInNoDomain) {
  const Cluster cluster =
      ClusterOf({"block", "rack"}, {{{"b1"}}, {{"b1", "r1"}}, {{}}, {{"b0", ""}}});
  const DomainOrder order(cluster);
  EXPECT_EQ(order.placed(2), 1U);
  EXPECT_EQ(order.size(2), 4U);
  EXPECT_EQ(order.size(0), 1U) << "b0 has no node with a rack";
  EXPECT_EQ(order.node(0), 1U);
  EXPECT_EQ(order.children(1, 0).end, 1U);
}

TEST(DomainOrderTest, WithoutATreeThereAreOnlyNodes) {
  const Cluster cluster({"gpu"}, DomainTree(), {{"b", 0, 0, 0, 1, {}}, {"a", 0, 0, 0, 1, {}}});
  const DomainOrder order(cluster);
  EXPECT_EQ(order.levels(), 0U);
  EXPECT_EQ(order.placed(0), 2U);
  EXPECT_EQ(order.node(0), 1U);
}

}  // namespace
}  // namespace plimsoll
