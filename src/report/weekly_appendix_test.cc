#include <gtest/gtest.h>

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
  EXPECT_EQ(keys, (std::vector<std::string>{"workloads", "nodes", "bills", "findings", "rules"}));
  const ReportTable* nodes = FindTable((*sections)[1], "nodes");
  ASSERT_NE(nodes, nullptr);
  EXPECT_EQ(nodes->rows[0][1], "gpu-1");
  EXPECT_EQ(nodes->rows[0].back(), "20.000000000");
  const ReportTable* sources = FindTable((*sections)[4], "price_sources");
  ASSERT_NE(sources, nullptr);
  EXPECT_EQ(sources->rows[0][0], "billed");
}

}  // namespace
}  // namespace plimsoll
