#include <gtest/gtest.h>

#include "report/test_week.h"

namespace plimsoll {
namespace {

using WeeklyFindingsTest = WeekFixture;

TEST_F(WeeklyFindingsTest, GreatestCostComesFirstWithItsQuestion) {
  const auto found = FindOpportunities(AskDay());
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[0].kind, "idle");
  EXPECT_EQ((*found)[0].cost, Money::Units(15));
  EXPECT_EQ((*found)[1].kind, "no-signal");
  EXPECT_NE((*found)[0].figure.find("node:\"gpu-1\"+class:\"waste\""), std::string::npos);
  EXPECT_NE((*found)[0].sentence.find("type unknown"), std::string::npos);
}

TEST_F(WeeklyFindingsTest, SavingsAreNotClaimed) {
  const ReportSection section = OptimizationSection(AskDay(), *FindOpportunities(AskDay()));
  EXPECT_EQ(Find(section, "saved")->value, std::nullopt);
  EXPECT_EQ(FindTable(section, "opportunities")->rows.size(), 2u);
}

}  // namespace
}  // namespace plimsoll
