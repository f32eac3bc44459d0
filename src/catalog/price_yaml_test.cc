#include "catalog/price_yaml.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

PriceFile Read(const std::string& text) { return ReadPriceYaml("p.yaml", text, PriceDefaults{}); }

std::string ProblemsOf(const std::string& text) {
  std::string all;
  for (const Rejection& rejection : Read(text).rejections) all += ToText(rejection) + "\n";
  return all;
}

TEST(PriceYamlTest, ReadsContractedRatesWithTheDocumentsDefaults) {
  const PriceFile file = Read(R"(name: enterprise agreement
provider: AWS
currency: USD
source: agreement 4711
as_of: 2026-07-01
prices:
  - instance_type: p5.48xlarge
    region: us-east-1
    amount: 38.5
    valid_from: 2026-01-01
    valid_until: 2027-01-01
  - {instance_type: p5.48xlarge, purchase: reserved-3y, amount: "19000", per: month}
)");
  EXPECT_EQ(file.name, "enterprise agreement");
  ASSERT_TRUE(file.rejections.empty()) << ToText(file.rejections[0]);
  ASSERT_EQ(RowsOf(file.prices), 2U);
  EXPECT_EQ(file.prices.provider[0], "aws");
  EXPECT_EQ(file.prices.rung[0], kRungContracted);
  EXPECT_EQ(file.prices.amount[0], *Money::Parse("38.5"));
  EXPECT_EQ(file.prices.source[1], "agreement 4711");
  EXPECT_EQ(file.prices.per_seconds[1], 730 * 3'600);
  EXPECT_EQ(file.lines, (std::vector<std::int64_t>{7, 12}));
}

TEST(PriceYamlTest, OwnedNodesBecomeExactPrices) {
  const PriceFile file = Read(R"(currency: EUR
on_prem:
  - name: dgx-h100
    capex: 350400
    amortization_months: 48
    power_kw: 10
    pue: 1.25
    price_per_kwh: 0.12
    hosting_per_month: 730
    support_percent: 5
)");
  ASSERT_TRUE(file.rejections.empty()) << ToText(file.rejections[0]);
  ASSERT_EQ(RowsOf(file.prices), 1U);
  EXPECT_EQ(file.prices.provider[0], "on-prem");
  EXPECT_EQ(file.prices.purchase[0], "owned");
  EXPECT_EQ(file.prices.instance_type[0], "dgx-h100");
  EXPECT_EQ(file.prices.currency[0], "EUR");
  EXPECT_EQ(file.prices.amount[0], Money::Units(508'080));
  EXPECT_EQ(file.prices.per_seconds[0], 126'144'000);
}

TEST(PriceYamlTest, WrongEntriesAreLeftOutAndExplained) {
  EXPECT_EQ(ProblemsOf(R"(currency: USD
on_prem:
  - name: a
    capex: 100
  - name: b
    capex: 10
    amortization_months: 12
    power_kw: 1.23456
  - amortization_months: 12
    capex: 1
prices:
  - {provider: aws, instance_type: x, ammount: 1}
  - {provider: aws, instance_type: y, amount: [1]}
)"),
            "p.yaml:12: prices[0].ammount: is not known here; see docs/formats\n"
            "p.yaml:13: prices[1].amount: must be one value, not a list or a mapping\n"
            "p.yaml:3: on_prem[0].name: amortization_months must be 1 to 600\n"
            "p.yaml:8: on_prem[1].power_kw: '1.23456' must be a decimal from 0 to 10^9 in steps "
            "of 1/1000\n"
            "p.yaml:9: on_prem[2].name: is missing\n");
}

TEST(PriceYamlTest, BrokenYamlIsOneRejectionWithItsLine) {
  const PriceFile file = Read("prices:\n  - {amount: 1\n");
  ASSERT_EQ(file.rejections.size(), 1U);
  EXPECT_GE(file.rejections[0].line, 2);
  EXPECT_EQ(ProblemsOf("- 1\n"), "p.yaml:1: must be a YAML mapping at its top level\n");
  EXPECT_EQ(ProblemsOf(""), "p.yaml:1: must be a YAML mapping at its top level\n");
}

TEST(PriceYamlTest, DoubledKeysAreNotChosenBetween) {
  EXPECT_NE(ProblemsOf("currency: USD\ncurrency: EUR\n"), "");
}

}  // namespace
}  // namespace plimsoll
