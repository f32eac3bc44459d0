#include "ledger/day_lines.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

void Add(CostLineBatch& lines, std::int64_t hour, std::int64_t node, std::int64_t workload,
         CostClass cost_class, Money cost) {
  lines.hour.push_back(AtSeconds(1'777'852'800) + Hours(hour));
  lines.scope_id.push_back(0);
  lines.node_id.push_back(node);
  lines.workload_id.push_back(workload);
  lines.cost_class.push_back(static_cast<std::int64_t>(cost_class));
  lines.gpu_time.push_back(GpuMillis(1'000));
  lines.gpu_cost.push_back(cost);
  for (auto column :
       {&CostLineBatch::cpu_cost, &CostLineBatch::memory_cost, &CostLineBatch::storage_cost,
        &CostLineBatch::network_cost, &CostLineBatch::shared_cost, &CostLineBatch::overhead_cost}) {
    (lines.*column).push_back(Money());
  }
}

TEST(DayLinesTest, HoursAndNodesOfADayAreAddedUp) {
  CostLineBatch lines;
  Add(lines, 0, 0, 7, CostClass::kUsed, Money::Units(1));
  Add(lines, 23, 1, 7, CostClass::kUsed, Money::Units(2));
  Add(lines, 23, 1, 7, CostClass::kUnused, Money::Units(4));
  Add(lines, 23, 1, kNoId, CostClass::kUsed, Money::Units(8));
  Add(lines, 24, 0, 7, CostClass::kUsed, Money::Units(16));
  const CostLineBatch days = AddUpDays(lines);
  ASSERT_EQ(RowsOf(days), 4U);
  EXPECT_EQ(days.workload_id, (std::vector<std::int64_t>{kNoId, 7, 7, 7}));
  EXPECT_EQ(days.gpu_cost[1], Money::Units(3));
  EXPECT_EQ(days.gpu_time[1], GpuMillis(2'000));
  EXPECT_EQ(days.node_id[1], kNoId);
  EXPECT_EQ(days.hour[1], AtSeconds(1'777'852'800));
  EXPECT_EQ(days.gpu_cost[3], Money::Units(16));
  EXPECT_EQ(days.hour[3], AtSeconds(1'777'852'800) + Days(1));
}

// A credit and a charge of near 10^9 in each of three hours.
TEST(DayLinesTest, ASumThatARowCannotHoldIsSeveralRows) {
  CostLineBatch lines;
  for (std::int64_t hour = 0; hour < 3; ++hour) {
    Add(lines, hour, 0, 1, CostClass::kUsed, Money::Units(900'000'000));
    Add(lines, hour, 0, 2, CostClass::kUsed, Money::Units(-900'000'000));
  }
  const CostLineBatch days = AddUpDays(lines);
  ASSERT_EQ(RowsOf(days), 6U);
  Money sums[2];
  GpuHours time;
  for (std::size_t i = 0; i < RowsOf(days); ++i) {
    EXPECT_LT(days.gpu_cost[i], Money::Units(1'000'000'000));
    EXPECT_GT(days.gpu_cost[i], Money::Units(-1'000'000'000));
    sums[days.workload_id[i] - 1] += days.gpu_cost[i];
    time += days.gpu_time[i];
  }
  EXPECT_EQ(sums[0], Money::Units(2'700'000'000));
  EXPECT_EQ(sums[1], Money::Units(-2'700'000'000));
  EXPECT_EQ(time, GpuMillis(6'000));
}

}  // namespace
}  // namespace plimsoll
