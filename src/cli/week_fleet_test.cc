#include "cli/week_fleet.h"

#include <gtest/gtest.h>

#include "cli/test_week.h"

namespace plimsoll {
namespace {

class WeekFleetTest : public testing::Test {
 protected:
  WeekFleetTest() : catalog_(*Catalog::Load(BuiltinCatalogFiles())) {}
  OccupancyFacts facts_;
  Catalog catalog_;
};

TEST_F(WeekFleetTest, ANodeThatTwoSourcesNameIsOneOfThePoolThatTheCatalogNames) {
  AddNode(facts_, "n1");
  AddNode(facts_, "n1");
  facts_.nodes.gpu_model[1] = "NVIDIA-H100-80GB-HBM3";
  facts_.nodes.labels[1] = R"({"topology_kubernetes_io_zone":"z1"})";
  const WeekFleet fleet = FleetOf(facts_, catalog_, kTestWeek);
  ASSERT_EQ(fleet.pools.size(), 1u);
  EXPECT_EQ(fleet.pools[0].gpu_model(), "H100-SXM-80GB");
  EXPECT_EQ(fleet.pools[0].cluster().size(), 1u);
  EXPECT_EQ(fleet.pools[0].cluster().tree().levels(), std::vector<std::string>{"zone"});
}

TEST_F(WeekFleetTest, NodesOutsideTheWeekAndNodesWithoutGpusAreNoneOfIt) {
  AddNode(facts_, "gone");
  facts_.nodes.until[0] = kWeekBegin;
  AddNode(facts_, "cpu");
  facts_.nodes.gpu_count[1] = 0;
  EXPECT_TRUE(FleetOf(facts_, catalog_, kTestWeek).pools.empty());
}

TEST_F(WeekFleetTest, WhatIsGivenBackIsIdleAgain) {
  AddNode(facts_, "n1");
  const std::size_t row = AddPod(facts_, {"a", "n1", 3, 0, 0, 9});
  facts_.holdings.cpu_milli[row] = 1'000'000;  // more than there is: what is there counts
  WeekFleet fleet = FleetOf(facts_, catalog_, kTestWeek);
  WeekPool& pool = fleet.pools.at(0);
  EXPECT_EQ(pool.idle_milli(), 0);  // it does not exist yet
  pool.SetExists(0, true);
  EXPECT_EQ(pool.idle_milli(), 8'000);
  EXPECT_EQ(pool.Slots(4'000, 9), 2);
  WeekPool::Share share;
  EXPECT_TRUE(pool.Hold(0, facts_.holdings, row, share));
  EXPECT_EQ(pool.idle_milli(), 5'000);
  EXPECT_EQ(pool.Slots(4'000, 9), 1);
  EXPECT_EQ(pool.unusable_ppb(), 1'000'000'000);  // without a CPU beside them
  pool.SetWell(0, false);
  EXPECT_EQ(pool.idle_milli(), 0);
  EXPECT_EQ(pool.down_milli(), 5'000);
  pool.Give(0, share);
  pool.SetWell(0, true);
  EXPECT_EQ(pool.idle_milli(), 8'000);
  EXPECT_EQ(pool.Slots(500, 20), 16);
}

}  // namespace
}  // namespace plimsoll
