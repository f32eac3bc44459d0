#include "config/config_prices.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::string Read(const std::string& text, PriceBatch* prices = nullptr) {
  YamlErrors errors("p.yaml");
  PriceBatch read = ReadPrices(YAML::Load(text), "p.yaml", "EUR", errors);
  if (prices != nullptr) *prices = std::move(read);
  return errors.Joined();
}

TEST(ConfigPricesTest, ReadsAmountsExactlyAndFillsDefaults) {
  PriceBatch prices;
  ASSERT_EQ(Read("prices:\n"
                 "  - {provider: aws, instance_type: p5.48xlarge, amount: 45.000000001,\n"
                 "     valid_from: 2026-01-01}\n"
                 "on_prem:\n"
                 "  - {name: dgx-*, capex: 35040, amortization_months: 48, currency: USD}\n",
                 &prices),
            "");
  ASSERT_EQ(RowsOf(prices), 2u);
  EXPECT_EQ(prices.amount[0], *Money::Parse("45.000000001"));
  EXPECT_EQ(prices.per_seconds[0], 3'600);
  EXPECT_EQ(prices.currency[0], "EUR");
  EXPECT_EQ(prices.rung[0], kRungContracted);
  EXPECT_EQ(prices.source[0], "p.yaml");
  EXPECT_EQ(prices.valid_from[0], *ParseInstant("2026-01-01"));
  EXPECT_EQ(prices.valid_until[0], std::nullopt);
  EXPECT_EQ(prices.currency[1], "USD");
  EXPECT_EQ(prices.amount[1], Money::Units(35'040));
  EXPECT_EQ(prices.per_seconds[1], 48 * 730 * 3'600);
}

TEST(ConfigPricesTest, BadValuesAreErrorsWithTheirLineAndPath) {
  const std::string head = "prices:\n  - {provider: aws, instance_type: p5.48xlarge";
  const auto expect = [&](const std::string& text, const std::string& field) {
    const std::string errors = Read(text);
    EXPECT_EQ(errors.find("p.yaml:2: prices[0]"), 0u) << text << errors;
    EXPECT_NE(errors.find(field), std::string::npos) << text << errors;
  };
  expect(head + "}\n", "amount");
  expect(head + ", amount: -1}\n", "amount");
  expect(head + ", amount: 1, currency: euro}\n", "currency");
  expect(head + ", amount: 1, purchase: ondemand}\n", "purchase");
  expect(head + ", amount: 1, valid_from: 2026-02-30}\n", "valid_from");
  expect(head + ", amount: 1, amuont: 2}\n", "amuont");
  EXPECT_NE(Read("prices: 5\n").find("p.yaml:1: prices"), std::string::npos) << Read("prices: 5\n");
}

TEST(ConfigPricesTest, PricesOfOneThingMustNotOverlap) {
  const auto two = [](const std::string& until, const std::string& from) {
    return "prices:\n"
           "  - {provider: aws, instance_type: p5, amount: 2, valid_from: 2026-01-01,"
           " valid_until: " +
           until +
           "}\n"
           "  - {provider: aws, instance_type: p5, amount: 3, valid_from: " +
           from + "}\n";
  };
  EXPECT_EQ(Read(two("2026-07-01", "2026-07-01")), "");
  EXPECT_EQ(Read(two("2026-07-01", "2026-06-30")),
            "p.yaml:3: p5: its price overlaps the one of line 2; end that with valid_until");
}

}  // namespace
}  // namespace plimsoll
