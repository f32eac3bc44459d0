#include "allocation/holding_table.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

struct Tables {
  explicit Tables(const TestFleet& fleet)
      : nodes(NodeTable::Gather(fleet.Input(), fleet.options.window)),
        workloads(fleet.options.attribution),
        holdings(fleet.Input(), fleet.options, nodes, workloads) {}
  NodeTable nodes;
  WorkloadTable workloads;
  HoldingTable holdings;
};

TEST(HoldingTableTest, KubernetesIsBelievedOverSlurmAndLabelsOverNone) {
  TestFleet fleet;
  const auto slurm = fleet.Hold("n", "a", 1, {T(0), T(20)});
  fleet.holdings.source[slurm] = "slurm";
  const auto bare = fleet.Hold("n", "a", 1, {T(1), T(20)});
  fleet.holdings.labels[bare] = "{}";
  const auto good = fleet.Hold("n", "a", 1, {T(2), T(20)});
  const Tables tables(fleet);
  ASSERT_EQ(tables.holdings.size(), 1u);
  EXPECT_EQ(tables.holdings.at(0).row, good);
}

TEST(HoldingTableTest, AnOpenHoldingEndsWithTheData) {
  TestFleet fleet;
  fleet.holdings.until[fleet.Hold("n", "a", 1, {T(0), T(1)})] = std::nullopt;
  fleet.options.data_until = T(40);
  EXPECT_EQ(Tables(fleet).holdings.at(0).until, T(40));
}

TEST(HoldingTableTest, HoldingsOutsideTheWindowOrOfNoLengthAreNothing) {
  TestFleet fleet;
  fleet.Hold("n", "a", 1, {T(60), T(90)});
  fleet.Hold("n", "b", 1, {T(5), T(5)});
  EXPECT_EQ(Tables(fleet).holdings.size(), 0u);
}

TEST(HoldingTableTest, OneUidAsksOnceWhateverItsDeviceKinds) {
  TestFleet fleet;
  for (const char* kind : {"mig-1g.10gb", "mig-2g.20gb"}) {
    const auto row = fleet.Hold("n", "a", 1, {T(0), T(20)});
    fleet.holdings.device_kind[row] = kind;
    fleet.holdings.cpu_milli[row] = 4'000;
  }
  const Tables tables(fleet);
  EXPECT_EQ(tables.holdings.size(), 2u);
  ASSERT_EQ(tables.holdings.RequestsOf(0).size(), 1u);
  EXPECT_EQ(tables.holdings.RequestsOf(0)[0].cpu_milli, 4'000);
}

// kube-state-metrics beside the kubelet knows what was used; the API's row still counts for all
// else.
TEST(HoldingTableTest, TheGreatestRequestOfAnySourceCounts) {
  TestFleet fleet;
  const auto api = fleet.Hold("n", "a", 1, {T(0), T(20)});
  fleet.holdings.cpu_milli[api] = 2'000;
  fleet.holdings.memory_bytes[api] = 100;
  const auto other = fleet.Hold("n", "a", 1, {T(3), T(20)});
  fleet.holdings.source[other] = "kube-state-metrics";
  fleet.holdings.memory_bytes[other] = 900;
  const Tables tables(fleet);
  ASSERT_EQ(tables.holdings.RequestsOf(0).size(), 1u);
  EXPECT_EQ(tables.holdings.RequestsOf(0)[0].begin, T(0));
  EXPECT_EQ(tables.holdings.RequestsOf(0)[0].cpu_milli, 2'000);
  EXPECT_EQ(tables.holdings.RequestsOf(0)[0].memory_bytes, 900);
}

TEST(HoldingTableTest, ReadyIsKeptWithinTheHolding) {
  TestFleet fleet;
  const auto row = fleet.Hold("n", "a", 1, {T(10), T(20)});
  fleet.holdings.ready[row] = T(30);
  EXPECT_EQ(Tables(fleet).holdings.at(0).ready, T(20));
  fleet.holdings.ready[row] = std::nullopt;
  EXPECT_EQ(Tables(fleet).holdings.at(0).ready, T(10));
}

// The better source says that it ended before the window; the other one's tail is no holding.
TEST(HoldingTableTest, TheBestSourceCountsEvenWhereOnlyAnotherTouches) {
  TestFleet fleet;
  fleet.Hold("n", "a", 1, {T(-60), T(-2)});
  const auto late = fleet.Hold("n", "a", 1, {T(-60), T(3)});
  fleet.holdings.source[late] = "kube-state-metrics";
  EXPECT_EQ(Tables(fleet).holdings.size(), 0u);
}

}  // namespace
}  // namespace plimsoll
