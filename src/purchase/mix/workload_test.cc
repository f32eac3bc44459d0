#include "purchase/mix/workload.h"

#include <gtest/gtest.h>

#include <numeric>

#include "model/commitment.h"

namespace plimsoll {
namespace {

MixWorkload Demand(std::vector<std::int64_t> units) {
  MixWorkload workload;
  for (const std::int64_t unit : units) workload.demand.push_back(unit * kUnitHour);
  return workload;
}

MixWorkload RunEvery(std::int64_t nodes, Duration work, Duration every) {
  MixWorkload workload;
  workload.run = WorkloadRun{nodes, work, every, {}, {}};
  return workload;
}

TEST(WorkloadTest, HoursAreThoseInWhichAllBeginAnew) {
  EXPECT_EQ(CycleHours({}), 24);
  EXPECT_EQ(CycleHours({Demand({1}), RunEvery(1, Hours(3), Hours(36))}), 72);
  EXPECT_EQ(
      CycleHours({RunEvery(1, Hours(3), Hours(730)), Demand(std::vector<std::int64_t>(168, 1))}),
      std::nullopt);
  EXPECT_EQ(CycleHours({Demand({})}), std::nullopt);
}

TEST(WorkloadTest, DemandComesAgain) {
  const auto used = UseOf(Demand({1, 2}), 4);
  EXPECT_EQ(used, (std::vector<std::int64_t>{kUnitHour, 2 * kUnitHour, kUnitHour, 2 * kUnitHour}));
}

TEST(WorkloadTest, ARunUsesItsNodesWhileItWorks) {
  MixWorkload workload = RunEvery(2, Minutes(90), Hours(12));
  workload.run->start = Minutes(30);
  const auto used = UseOf(workload, 24);
  EXPECT_EQ(used[0], kUnitHour);
  EXPECT_EQ(used[1], 2 * kUnitHour);
  EXPECT_EQ(used[2], 0);
  EXPECT_EQ(used[12], kUnitHour);
}

TEST(WorkloadTest, ARunPastTheEndGoesOnAtTheBegin) {
  const auto used = UseOf(RunEvery(1, Hours(30), Hours(24)), 24);
  EXPECT_EQ(used[0], 2 * kUnitHour);
  EXPECT_EQ(used[23], kUnitHour);
  EXPECT_EQ(std::accumulate(used.begin(), used.end(), std::int64_t{0}), 30 * kUnitHour);
}

}  // namespace
}  // namespace plimsoll
