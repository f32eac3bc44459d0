#include "config/config_prices.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::string Read(const std::string& list, PriceBatch* prices = nullptr) {
  YamlErrors errors("p.yaml");
  YamlMap top(YAML::Load("prices:\n" + list), "", errors);
  PriceBatch read = ReadPrices(top, "p.yaml", "EUR");
  if (prices != nullptr) *prices = std::move(read);
  return errors.Joined();
}

constexpr const char* kOwned =
    "- {provider: on-prem, instance_type: dgx, amount: 45.000000001, valid_from: 2026-01-01";

TEST(ConfigPricesTest, ReadsAmountsExactlyAndFillsDefaults) {
  PriceBatch prices;
  ASSERT_EQ(Read(std::string(kOwned) + "}\n", &prices), "");
  ASSERT_EQ(RowsOf(prices), 1u);
  EXPECT_EQ(prices.amount[0], *Money::Parse("45.000000001"));
  EXPECT_EQ(prices.per_seconds[0], 3'600);
  EXPECT_EQ(prices.currency[0], "EUR");
  EXPECT_EQ(prices.rung[0], kRungContracted);
  EXPECT_EQ(prices.purchase[0], "on-demand");
  EXPECT_EQ(prices.source[0], "p.yaml");
  EXPECT_EQ(prices.valid_from[0], *ParseInstant("2026-01-01"));
  EXPECT_EQ(prices.valid_until[0], std::nullopt);
}

TEST(ConfigPricesTest, BadValuesAreErrors) {
  const std::string head = "- {provider: aws, instance_type: p5.48xlarge, valid_from: 2026-01-01";
  const auto expect = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(Read(text).find(part), std::string::npos) << text << Read(text);
  };
  expect(head + "}\n", "amount: is missing");
  expect(head + ", amount: -1}\n", "'-1' is not an amount");
  expect(head + ", amount: 1.0000000001}\n", "at most nine places");
  expect(head + ", amount: 1e3}\n", "is not an amount");
  expect(head + ", amount: 1, per: 1500ms}\n", "must be whole seconds");
  expect(head + ", amount: 1, currency: eur}\n", "ISO 4217");
  expect(head + ", amount: 1, purchase: ondemand}\n", "did you mean 'on-demand'?");
  expect(head + ", amount: 1, valid_until: 2026-01-01}\n", "must be after valid_from");
  expect(head + ", amount: 1, valid_until: 2026-02-30}\n", "is not a time");
  expect("- {amount: 1}\n", "valid_from: is missing");
}

TEST(ConfigPricesTest, PricesOfOneThingMustNotOverlap) {
  const std::string first = std::string(kOwned) + ", valid_until: 2026-07-01}\n";
  EXPECT_EQ(Read(first + "- {provider: on-prem, instance_type: dgx, amount: 40, "
                         "valid_from: 2026-07-01}\n"),
            "");
  EXPECT_EQ(Read(first + "- {provider: on-prem, instance_type: dgx, amount: 40, "
                         "valid_from: 2026-06-30}\n"),
            "p.yaml:3: prices[1].valid_from: overlaps prices[0] of the same thing; end that "
            "with valid_until");
}

}  // namespace
}  // namespace plimsoll
