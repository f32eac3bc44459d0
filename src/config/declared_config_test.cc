#include "config/declared_config.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(DeclaredConfigTest, ReadsAmountsAndVolumePrices) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", R"(monthly_costs:
  - {name: control plane, kind: control-plane, amount: 219.00}
  - {name: on-call, kind: people, amount: 30000, team: platform, from: 2026-01-01,
     until: 2027-01-01}
volume_prices:
  - {storage_class: gp3*, per_gib_month: 0.08}
)");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->declared.size(), 2U);
  EXPECT_EQ(config->declared[0].amount, Money::Units(219));
  EXPECT_EQ(config->declared[0].team, "");
  EXPECT_EQ(config->declared[1].until, *ParseInstant("2027-01-01"));
  ASSERT_EQ(config->volume_prices.size(), 1U);
  EXPECT_EQ(config->volume_prices[0].per_gib_month, *Money::Parse("0.08"));
}

TEST(DeclaredConfigTest, EveryErrorHasItsLineAndRemedy) {
  const Result<Config> config = LoadConfig("plimsoll.yaml", R"(monthly_costs:
  - {name: a, kind: power, amount: -3}
  - {name: a, kind: other, amount: 3, from: 2026-02-01, until: 2026-01-01}
volume_prices:
  - {per_gib_month: 0.08}
)");
  ASSERT_FALSE(config);
  const std::string& errors = config.error().message;
  for (const char* part :
       {"plimsoll.yaml:2: monthly_costs[0].kind: 'power' is not one of", "'-3' is not an amount",
        "plimsoll.yaml:3: monthly_costs[1].name: 'a' is taken", "until: must be after from",
        "plimsoll.yaml:5: volume_prices[0].storage_class: is missing"}) {
    EXPECT_NE(errors.find(part), std::string::npos) << part << "\nis not in\n" << errors;
  }
}

}  // namespace
}  // namespace plimsoll
