#include <gtest/gtest.h>

#include "report/test_week.h"

namespace plimsoll {
namespace {

using WeeklyCapacityTest = WeekFixture;

TEST_F(WeeklyCapacityTest, ClassesOfTheTableAddUpToTheFleet) {
  const auto classes = ReadClassSums(AskDay());
  ASSERT_TRUE(classes);
  const auto section = CapacitySection(AskDay(), *classes);
  ASSERT_TRUE(section) << section.error().message;
  EXPECT_EQ(Find(*section, "gpus_total")->value, "0.2");  // four GPU-hours over a day
  EXPECT_EQ(Find(*section, "gpus_maintenance")->value, "0.0");
  EXPECT_FALSE(section->connect.empty());
  const ReportTable* table = FindTable(*section, "classes");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rows.size(), 2u);
  EXPECT_EQ(table->rows[0][0], "usage_unknown");
  EXPECT_EQ(table->rows[0][1], "1.000000000");
  EXPECT_EQ(table->rows[1][0], "waste");
  EXPECT_EQ(table->rows[1][1], "3.000000000");
  EXPECT_EQ(table->figures.size(), table->rows.size());
}

TEST_F(WeeklyCapacityTest, WithoutSamplesUtilizationSaysWhatToConnect) {
  const auto classes = ReadClassSums(AskDay());
  const auto section = UtilizationSection(AskDay(), *classes);
  ASSERT_TRUE(section) << section.error().message;
  EXPECT_EQ(Find(*section, "allocated_share")->value, "25.0");
  for (const char* key : {"busy_mean", "memory_mean", "power_mean", "energy"}) {
    EXPECT_EQ(Find(*section, key)->value, std::nullopt) << key;
    EXPECT_EQ(Find(*section, key)->note, "connect DCGM metrics") << key;
  }
  ASSERT_EQ(section->charts.size(), 1u);
  EXPECT_EQ(section->charts[0].categories.size(), 24u);
}

// Two GPUs idle in the fixture's second hour: two of 24 GPU-hours-a-GPU.
TEST_F(WeeklyCapacityTest, MaintenanceIsNotFailure) {
  LedgerOptions options;
  options.allocation.split = {1, 0, 0};
  options.allocation.idle.maintenance = {
      {{}, {kFactsDay + Hours(1), kFactsDay + Hours(2)}, "new driver"}};
  auto ledger = Ledger::Open(*store_, catalog_, std::move(options));
  ASSERT_TRUE(ledger);
  ASSERT_TRUE(ledger->Refresh(Day()));
  const Ask ask(*ledger, Day(), "USD");
  const auto classes = ReadClassSums(ask);
  ASSERT_TRUE(classes);
  EXPECT_EQ(classes->Of(CostClass::kUnavailable).gpu_time, WholeGpuHours(2));
  const auto section = CapacitySection(ask, *classes);
  ASSERT_TRUE(section) << section.error().message;
  EXPECT_EQ(Find(*section, "gpus_maintenance")->value, "0.1");
  EXPECT_EQ(Find(*section, "gpus_failed")->value, "0.0");
  EXPECT_TRUE(section->connect.empty());
  const auto found = FindOpportunities(ask);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(std::any_of(found->begin(), found->end(),
                          [](const Opportunity& one) { return one.kind == "maintenance"; }));
  EXPECT_TRUE(std::none_of(found->begin(), found->end(),
                           [](const Opportunity& one) { return one.kind == "failed"; }));
}

}  // namespace
}  // namespace plimsoll
