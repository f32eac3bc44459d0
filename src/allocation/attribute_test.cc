#include "allocation/attribute.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

AttributionRules Rules() {
  AttributionRules rules = DefaultAttributionRules();
  rules.dimensions[0].values = {"vision", "search"};
  rules.fallbacks = {{"ml-prod", "", "search", "cc-7"}, {"", "astro", "vision", ""}};
  return rules;
}

TEST(AttributeTest, LabelKeysAreComparedAfterNormalization) {
  Attributor attributor(Rules());
  const auto who =
      attributor.Of({R"({"platform_example_com_team":"vision","env":"prod"})", "x", ""});
  EXPECT_EQ(who.team, "vision");
  EXPECT_EQ(who.environment, "prod");
  EXPECT_EQ(who.reason, "");
}

TEST(AttributeTest, AnUnregisteredValueIsNotReplacedByTheFallback) {
  Attributor attributor(Rules());
  const auto who = attributor.Of({R"({"team":"typo"})", "ml-prod", ""});
  EXPECT_EQ(who.team, "");
  EXPECT_EQ(who.reason, "unknown-value");
}

TEST(AttributeTest, WithoutALabelTheNamespaceOrAccountDecides) {
  Attributor attributor(Rules());
  EXPECT_EQ(attributor.Of({"{}", "ml-prod", ""}).team, "search");
  EXPECT_EQ(attributor.Of({"{}", "ml-prod", ""}).cost_center, "cc-7");
  EXPECT_EQ(attributor.Of({"{}", "", "astro", true}).team, "vision");
}

TEST(AttributeTest, SaysWhyThereIsNoTeam) {
  Attributor attributor(Rules());
  EXPECT_EQ(attributor.Of({"{}", "other", ""}).reason, "no-label");
  EXPECT_EQ(attributor.Of({"", "", "bio", true}).reason, "no-owner");
  EXPECT_EQ(attributor.Of({"", "", "", true}).reason, "no-label");
  EXPECT_EQ(attributor.Of({"not json", "", "", false}).reason, "no-label");
}

TEST(AttributeTest, OtherDimensionsNeverDecideTheReason) {
  AttributionRules rules = Rules();
  rules.dimensions[1].values = {"production"};
  Attributor attributor(rules);
  const auto who = attributor.Of({R"({"team":"vision","env":"qa"})", "", ""});
  EXPECT_EQ(who.environment, "");
  EXPECT_EQ(who.reason, "");
}

}  // namespace
}  // namespace plimsoll
