#include "allocation/device_grid.h"

#include <gtest/gtest.h>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

DeviceGrid GridOf(const TestFleet& fleet) {
  NodeTable nodes = NodeTable::Gather(fleet.Input(), fleet.options.window);
  nodes.Measure(fleet.catalog);
  return DeviceGrid(fleet.Input(), fleet.options.window, nodes);
}

TEST(DeviceGridTest, DevicesComeByIndexThenUuidThenUnseenOnes) {
  TestFleet fleet;
  fleet.Node("n", 4);
  fleet.usage.gpu_index[fleet.Use("n", "GPU-a", 1)] = 1;
  fleet.usage.gpu_index[fleet.Use("n", "GPU-b", 1)] = 0;
  fleet.Bind("n", "GPU-0", "x", {T(0), T(1)});
  const DeviceGrid grid = GridOf(fleet);
  ASSERT_EQ(grid.size(), 4u);
  EXPECT_EQ(grid.at(0).uuid, "GPU-b");
  EXPECT_EQ(grid.at(1).uuid, "GPU-a");
  EXPECT_EQ(grid.at(2).uuid, "GPU-0");
  EXPECT_EQ(grid.at(3).uuid, "n/gpu-3");
  EXPECT_EQ(grid.CardsOf(0), 4);
}

TEST(DeviceGridTest, ANodeWithoutACountHasTheCardsThatWereSeen) {
  TestFleet fleet;
  fleet.Node("n", 0);
  fleet.Use("n", "GPU-1", 1);
  fleet.Use("n", "GPU-2", 1);
  EXPECT_EQ(GridOf(fleet).CardsOf(0), 2);
}

TEST(DeviceGridTest, TheBetterSignalWinsAndEqualOnesMergeByTwelfth) {
  TestFleet fleet;
  fleet.Node("n", 1);
  const auto coarse = fleet.Use("n", "GPU-1", 100);
  fleet.usage.signal[coarse] = kSignalGpuUtil;
  const auto first = fleet.Use("n", "GPU-1", 10);
  const auto second = fleet.Use("n", "GPU-1", 20);
  fleet.usage.covered[second][0] = 100'000;
  const DeviceGrid grid = GridOf(fleet);
  const UsageCell cell = grid.CardCell(0, 0);
  EXPECT_EQ((*cell.active)[0], fleet.usage.active[first][0]);
  EXPECT_EQ((*cell.active)[1], fleet.usage.active[second][1]);
  EXPECT_EQ(grid.duplicates().size(), 1u);
  EXPECT_EQ(grid.CoveredMask(0, 0), 0xFFF);
}

TEST(DeviceGridTest, ADevicesHourCountsOnOneNodeOnly) {
  TestFleet fleet;
  fleet.Node("m", 1);
  fleet.Node("n", 1);
  fleet.Use("n", "GPU-1", 10);
  fleet.usage.signal[fleet.Use("m", "GPU-1", 90)] = kSignalGpuUtil;
  const DeviceGrid grid = GridOf(fleet);
  EXPECT_FALSE(grid.CardCell(grid.first(0), 0).has_row());
  EXPECT_TRUE(grid.CardCell(grid.first(1), 0).has_row());
}

TEST(DeviceGridTest, InstancesKeepTheirOwnRowsAndProfiles) {
  TestFleet fleet;
  fleet.Node("n", 1);
  for (const char* id : {"7", "3"}) {
    const auto row = fleet.Use("n", "GPU-1", 50);
    fleet.usage.instance[row] = id;
    fleet.usage.profile[row] = "1g.10gb";
  }
  DeviceGrid grid = GridOf(fleet);
  EXPECT_FALSE(grid.CardCell(0, 0).has_row());
  ASSERT_EQ(grid.InstanceCells(0, 0).size(), 2u);
  EXPECT_EQ(grid.instances().TextOf(grid.InstanceCells(0, 0)[0].instance), "3");
  EXPECT_EQ(grid.ProfileOf(0, grid.instances().Of("7")), "1g.10gb");
  EXPECT_EQ(grid.InstancesOf(0).size(), 2u);
}

}  // namespace
}  // namespace plimsoll
