// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/slot_counts.h"

#include <gtest/gtest.h>

#include "capacity/topology/gang_fixture.h"

namespace plimsoll {
namespace {

std::vector<std::int64_t> List(std::span<const std::int64_t> counts) {
  return {counts.begin(), counts.end()};
}
using Counts = std::vector<std::int64_t>;

TEST(SlotCountsTest, SlicesAreWholeInTheirDomainAndAddUpAbove) {
  const Cluster cluster = ClusterOf(
      {"block", "rack"}, {{{"b1", "r1"}, 8, 3}, {{"b1", "r1"}, 8, 2}, {{"b1", "r2"}, 8, 4}});
  const DomainOrder order(cluster);
  const SlotCounts counts(cluster, order, {Gpus(1), 3, 1});
  EXPECT_EQ(List(counts.pods(1)), (Counts{5, 4}));
  EXPECT_EQ(List(counts.slices(1)), (Counts{1, 1}));
  EXPECT_EQ(List(counts.pods(0)), (Counts{9}));
  EXPECT_EQ(List(counts.slices(0)), (Counts{2})) << "not floor(9 / 3)";
  EXPECT_EQ(List(counts.slices(2)), (Counts{0, 0, 0}));
  EXPECT_EQ(counts.total_slices(), 2);
}

TEST(SlotCountsTest, AChangedNodeMovesItsDomainsOnly) {
  Cluster cluster = RacksOf({2, 2}, 4);
  const DomainOrder order(cluster);
  SlotCounts counts(cluster, order, {Gpus(2), 1, 1});
  EXPECT_EQ(List(counts.pods(0)), (Counts{4, 4}));
  TakeGpus(cluster, 2, 3);
  counts.Update(2);
  EXPECT_EQ(List(counts.pods(0)), (Counts{4, 2}));
  EXPECT_EQ(counts.total_pods(), 6);
  cluster.SetUp(0, false);
  counts.Update(0);
  EXPECT_EQ(List(counts.pods(0)), (Counts{2, 2}));
  EXPECT_EQ(counts.total_pods(), 4);
}

TEST(SlotCountsTest, NodesInNoDomainCountOnlyInTheTotal) {
  const Cluster cluster = ClusterOf({"rack"}, {{{"r1"}, 2}, {{}, 4}});
  const DomainOrder order(cluster);
  const SlotCounts counts(cluster, order, SliceShapeOf(Gang(1, 1), order.levels()));
  EXPECT_EQ(List(counts.pods(0)), (Counts{2}));
  EXPECT_EQ(List(counts.pods(1)), (Counts{2, 4}));
  EXPECT_EQ(counts.total_pods(), 6);
}

}  // namespace
}  // namespace plimsoll
