#include <gtest/gtest.h>

#include "report/test_week.h"

namespace plimsoll {
namespace {

using WeeklyTenantTest = WeekFixture;

TEST_F(WeeklyTenantTest, TeamsIdleAndUnattributedAddUp) {
  const auto section = TenantSection(AskDay(), {});
  ASSERT_TRUE(section) << section.error().message;
  EXPECT_EQ(Find(*section, "attributed_cost")->value, "5.000000000");
  EXPECT_EQ(Find(*section, "unattributed_cost")->value, "24.000000000");
  EXPECT_EQ(Find(*section, "idle_cost")->value, "15.000000000");
  EXPECT_FALSE(section->connect.empty());  // no budgets declared
}

TEST_F(WeeklyTenantTest, ABudgetCountsForItsShareOfTheMonth) {
  const auto section = TenantSection(AskDay(), {{"nlp", "62"}});
  ASSERT_TRUE(section) << section.error().message;
  const ReportTable* teams = FindTable(*section, "teams");
  ASSERT_NE(teams, nullptr);
  ASSERT_EQ(teams->rows.size(), 1u);
  EXPECT_EQ(teams->rows[0][4], "2.000000000");  // one of May's 31 days
  EXPECT_EQ(teams->rows[0][5], "3.000000000");
}

}  // namespace
}  // namespace plimsoll
