#include "allocation/node_table.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

TEST(NodeTableTest, TheFullerRowIsTakenAndExistenceIsTheWidest) {
  TestFleet fleet;
  const auto bare = fleet.Node("n", 0);
  fleet.nodes.begin[bare] = T(0);
  fleet.nodes.until[bare] = T(30);
  const auto full = fleet.Node("n", 8);
  fleet.nodes.begin[full] = T(10);
  fleet.nodes.until[full] = T(50);
  const NodeTable nodes = NodeTable::Gather(fleet.Input(), fleet.options.window);
  ASSERT_EQ(nodes.nodes().size(), 1u);
  EXPECT_EQ(nodes.at(0).gpu_count, 8);
  EXPECT_EQ(nodes.at(0).begin, T(0));
  EXPECT_EQ(nodes.at(0).until, T(50));
}

TEST(NodeTableTest, NoEndIsTheLatestEnd) {
  TestFleet fleet;
  fleet.nodes.until[fleet.Node("n", 1)] = T(30);
  fleet.Node("n", 1);
  const NodeTable nodes = NodeTable::Gather(fleet.Input(), fleet.options.window);
  EXPECT_EQ(nodes.at(0).until, std::nullopt);
}

TEST(NodeTableTest, NodesThatOnlyFactsNameAreNodesInOrder) {
  TestFleet fleet;
  fleet.Use("u", "GPU-1", 1);
  fleet.Hold("h", "a", 1, {T(0), T(10)});
  fleet.Bind("b", "GPU-2", "a", {T(0), T(10)});
  fleet.Hold("later", "z", 1, {T(60), T(70)});  // not in the window
  const NodeTable nodes = NodeTable::Gather(fleet.Input(), fleet.options.window);
  ASSERT_EQ(nodes.nodes().size(), 3u);
  EXPECT_EQ(nodes.Find("c", "b"), 0);
  EXPECT_EQ(nodes.Find("c", "h"), 1);
  EXPECT_EQ(nodes.Find("c", "u"), 2);
  EXPECT_EQ(nodes.Find("c", "later"), -1);
}

TEST(NodeTableTest, JobsWithoutANodeListTellWhatTheirNodesHaveAndWhen) {
  TestFleet fleet;
  fleet.Hold("h", "a", 2, {T(0), T(20)});
  fleet.Hold("h", "b", 1, {T(10), T(30)});  // three at once for ten minutes
  fleet.Hold("h", "c", 1, {T(40), T(50)});
  fleet.Node("n", 8);
  fleet.Hold("n", "d", 1, {T(0), T(60)});
  const NodeTable nodes = NodeTable::Gather(fleet.Input(), fleet.options.window);
  const NodeFact& only_held = nodes.at(nodes.Find("c", "h"));
  EXPECT_EQ(only_held.gpu_count, 3);
  EXPECT_EQ(only_held.held_only, (std::vector<Window>{{T(0), T(30)}, {T(40), T(50)}}));
  const NodeFact& listed = nodes.at(nodes.Find("c", "n"));
  EXPECT_EQ(listed.gpu_count, 8);
  EXPECT_TRUE(listed.held_only.empty());
}

TEST(NodeTableTest, AddedNodesAreSortedInAndOldIdsFollow) {
  TestFleet fleet;
  fleet.Node("b", 1);
  NodeTable nodes = NodeTable::Gather(fleet.Input(), fleet.options.window);
  NodeFact machine;
  machine.node = "i-1";
  machine.no_telemetry = true;
  EXPECT_EQ(nodes.Add({machine}), (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(nodes.Find("", "i-1"), 0);
}

// Held-only nodes: the order of two sources' rows must not matter.
TEST(NodeTableTest, AHeldOnlyNodeIsMeasuredByTheBestRow) {
  for (const bool slurm_first : {true, false}) {
    TestFleet fleet;
    for (const bool slurm : {slurm_first, !slurm_first}) {
      const auto row = fleet.Hold("n", "a", slurm ? 4 : 2, {T(0), T(slurm ? 50 : 20)});
      fleet.holdings.source[row] = slurm ? "slurm" : "kubernetes";
    }
    const NodeTable nodes = NodeTable::Gather(fleet.Input(), fleet.options.window);
    EXPECT_EQ(nodes.at(0).gpu_count, 2);
    EXPECT_EQ(nodes.at(0).held_only, std::vector{(Window{T(0), T(20)})});
  }
}

}  // namespace
}  // namespace plimsoll
