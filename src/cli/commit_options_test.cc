#include "cli/commit_options.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const Instant kStart = *ParseInstant("2026-12-01T00:00:00Z");

TEST(CommitOptionsTest, PricesAreForAnyFlavorOrOne) {
  const auto prices = *ParsePrices("--on-demand", {"10", "H100=12.5", "a=b=3"});
  EXPECT_EQ(prices[0].flavor, "*");
  EXPECT_EQ(prices[1].price.ToString(), "12.500000000");
  EXPECT_EQ(prices[2].flavor, "a=b");
  for (const char* text : {"", "free", "H100=", "=3", "-1", "10001", "0.0000000001"}) {
    EXPECT_FALSE(ParsePrices("--on-demand", {text})) << text;
  }
}

TEST(CommitOptionsTest, ScenariosBeginWithNoChange) {
  EXPECT_TRUE(ParseScenarios({}, kStart)->empty());
  const auto scenarios =
      *ParseScenarios({"10%", "20%", {"2027-06:H200:0.5"}, {"44%", "30%:2027-12-01"}}, kStart);
  ASSERT_EQ(scenarios.size(), 6U);
  EXPECT_EQ(scenarios[0].name, "as measured");
  EXPECT_EQ(scenarios[1].name, "growth 10% a year");
  EXPECT_EQ(scenarios[2].kind, ScenarioKind::kDecline);
  EXPECT_EQ(scenarios[3].from_month, 6);
  EXPECT_EQ(scenarios[3].target, "H200");
  EXPECT_EQ(scenarios[3].share, 500'000'000);
  EXPECT_EQ(scenarios[4].from_month, 0);
  EXPECT_EQ(scenarios[5].from_month, 12);
}

TEST(CommitOptionsTest, WrongScenariosNameTheirOption) {
  EXPECT_NE(ParseScenarios({"", "100%", {}, {}}, kStart).error().message.find("--decline"),
            std::string::npos);
  for (const char* text :
       {"2027-06:H200", "soon:H200:0.5", "2027-06::0.5", "2027-06:H200:2", "2040-01:H200:0.5"}) {
    EXPECT_FALSE(ParseScenarios({"", "", {text}, {}}, kStart)) << text;
  }
  EXPECT_FALSE(ParseScenarios({"", "", {}, {"44%:2027-06:x"}}, kStart));
}

}  // namespace
}  // namespace plimsoll
