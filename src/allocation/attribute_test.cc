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

// A team that was renamed in March keeps February under its old name.
TEST(AttributeTest, AMappingHoldsFromItsDay) {
  AttributionRules rules = Rules();
  rules.dimensions[0].values = {"vision", "perception"};
  const Instant march = *ParseInstant("2026-03-01");
  rules.mappings = {{Dimension::kTeam, "vision", "perception", {march, std::nullopt}},
                    {Dimension::kTeam, "vis-*", "vision", {}}};
  Attributor february(rules, march - Hours(1));
  EXPECT_EQ(february.Of({R"({"team":"vision"})", "", ""}).team, "vision");
  EXPECT_EQ(february.Of({R"({"team":"vis-lab"})", "", ""}).team, "vision");
  Attributor later(rules, march);
  EXPECT_EQ(later.Of({R"({"team":"vision"})", "", ""}).team, "perception");
  EXPECT_EQ(later.Of({R"({"team":"vis-lab"})", "", ""}).team, "vision");  // mapped once
}

TEST(AttributeTest, AUserOrABucketCanStandForATeam) {
  AttributionRules rules = Rules();
  OwnerFallback user{"", "", "vision"};
  user.user = "ada";
  OwnerFallback bucket{"", "", "search"};
  bucket.resource = "arn:aws:s3:::ckpt-*";
  bucket.time.until = *ParseInstant("2026-03-01");
  rules.fallbacks = {user, bucket};
  Attributor attributor(rules, *ParseInstant("2026-02-01"));
  EXPECT_EQ(attributor.Of({"{}", "", "acct", true, "ada"}).team, "vision");
  EXPECT_EQ(attributor.Of({"{}", "", "acct", true, "bob"}).reason, "no-owner");
  EXPECT_EQ(attributor.Of({"{}", "", "", false, "", "arn:aws:s3:::ckpt-llm"}).team, "search");
  EXPECT_EQ(attributor.Of({"{}", "", "", false, "", "arn:aws:s3:::logs"}).team, "");
  Attributor later(rules, *ParseInstant("2026-03-01"));
  EXPECT_EQ(later.Of({"{}", "", "", false, "", "arn:aws:s3:::ckpt-llm"}).team, "");
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
