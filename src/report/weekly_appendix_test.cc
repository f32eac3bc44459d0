#include <gtest/gtest.h>

#include <algorithm>

#include "report/facts_sql.h"
#include "report/test_week.h"

namespace plimsoll {
namespace {

using WeeklyAppendixTest = WeekFixture;

TEST_F(WeeklyAppendixTest, NamesWorkloadsNodesBillsFindingsAndRules) {
  const auto periods = Reconcile(*ledger_, Day());
  ASSERT_TRUE(periods);
  const auto sections = AppendixSections(AskDay(), *periods);
  ASSERT_TRUE(sections) << sections.error().message;
  std::vector<std::string> keys;
  for (const ReportSection& section : *sections) keys.push_back(section.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"workloads", "nodes", "idle", "telemetry", "bills",
                                            "findings", "rules"}));
  const ReportTable* nodes = FindTable((*sections)[1], "nodes");
  ASSERT_NE(nodes, nullptr);
  EXPECT_EQ(nodes->rows[0][1], "gpu-1");
  EXPECT_EQ(nodes->rows[0].back(), "20.000000000");
  EXPECT_NE((*sections)[2].connect.front().find("declare reserves"), std::string::npos);
  const ReportTable* sources = FindTable((*sections)[6], "price_sources");
  ASSERT_NE(sources, nullptr);
  EXPECT_EQ(sources->rows[0][0], "billed");
}

// A declared reserve and the marks of telemetry are the reader's to see.
TEST_F(WeeklyAppendixTest, ShowsWhatExplainsIdleCapacityAndHowGoodTelemetryIs) {
  ASSERT_TRUE(
      store_->Execute("INSERT INTO usage SELECT 1, 'c', 'gpu-1', 'GPU-9', '', '', 0, 'H100', "
                      "?, '', [0,0,0,0,0,0,0,0,0,0,0,0], [0,0,0,0,0,0,0,0,0,0,0,0], NULL, "
                      "NULL, NULL, NULL, 'nan,sentinel', 0",
                      {Day().begin}));
  ASSERT_TRUE(store_->Execute(
      "INSERT INTO snapshot SELECT 1, 'usage', 'c', 0, 0, 'x', 1, 0, NULL, NULL, 0, 1 WHERE NOT "
      "EXISTS (SELECT 1 FROM snapshot WHERE snapshot_id = 1)",
      {}));
  const auto marks = ReadMarks(*store_, Day());
  ASSERT_TRUE(marks) << marks.error().message;
  std::vector<std::string> names = marks->mark;
  EXPECT_NE(std::find(names.begin(), names.end(), "sentinel"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "nan"), names.end());
}

}  // namespace
}  // namespace plimsoll
