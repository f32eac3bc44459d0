#include "catalog/on_prem.h"

#include <gtest/gtest.h>

#include <limits>

namespace plimsoll {
namespace {

OnPremNode Example() {
  OnPremNode node;
  node.capex = Money::Units(350'400);
  node.amortization_months = 48;
  node.power_watts = 10'000;
  node.pue_milli = 1'250;
  node.price_per_kwh = *Money::Parse("0.12");
  node.hosting_per_month = Money::Units(730);
  node.support_ppm = 50'000;
  return node;
}

TEST(OnPremTest, WorkedExampleIsExact) {
  const Result<BlockPrice> price = OnPremPrice(Example());
  ASSERT_TRUE(price.has_value());
  EXPECT_EQ(price->amount, Money::Units(508'080));
  EXPECT_EQ(price->per_seconds, 126'144'000);
}

TEST(OnPremTest, AnHourOfTheExampleCostsTheClosedForm) {
  const Result<BlockPrice> price = OnPremPrice(Example());
  ASSERT_TRUE(price.has_value());
  // 14.5 an hour, times the hours of the block, is the amount: nothing is lost.
  const std::int64_t hours = price->per_seconds / 3600;
  EXPECT_EQ(price->amount, Money::FromNanos(int128{14'500'000'000} * hours));
}

TEST(OnPremTest, EachTermStandsAlone) {
  OnPremNode capex;
  capex.capex = Money::Units(100);
  capex.residual = Money::Units(40);
  capex.amortization_months = 36;
  EXPECT_EQ(OnPremPrice(capex)->amount, Money::Units(60));

  OnPremNode energy;
  energy.amortization_months = 1;
  energy.power_watts = 1'000;
  energy.price_per_kwh = *Money::Parse("0.000000001");
  EXPECT_EQ(OnPremPrice(energy)->amount, Money::FromNanos(730));
}

TEST(OnPremTest, RoundsOnceHalfToEven) {
  OnPremNode node;
  node.amortization_months = 1;
  node.capex = Money::FromNanos(6);
  node.residual = node.capex;
  node.support_ppm = 1'000'000;  // 6 nanos x 1 / 12 = half a nano
  EXPECT_EQ(OnPremPrice(node)->amount, Money());
  node.capex = Money::FromNanos(18);
  node.residual = node.capex;  // 1.5 nanos
  EXPECT_EQ(OnPremPrice(node)->amount, Money::FromNanos(2));
}

TEST(OnPremTest, RefusesWhatHasNoMeaning) {
  const auto fails = [](auto change) {
    OnPremNode node = Example();
    change(node);
    const Result<BlockPrice> price = OnPremPrice(node);
    return price.has_value() ? std::string() : price.error().message;
  };
  EXPECT_NE(fails([](OnPremNode& n) { n.amortization_months = 0; }), "");
  EXPECT_NE(fails([](OnPremNode& n) { n.amortization_months = 601; }), "");
  EXPECT_NE(fails([](OnPremNode& n) { n.pue_milli = 999; }), "");
  EXPECT_NE(fails([](OnPremNode& n) { n.capex = -n.capex; }), "");
  EXPECT_NE(fails([](OnPremNode& n) { n.residual = n.capex + n.capex; }), "");
  EXPECT_NE(fails([](OnPremNode& n) { n.power_watts = -1; }), "");
  EXPECT_EQ(fails([](OnPremNode&) {}), "");
}

TEST(OnPremTest, OverflowIsAnErrorNotAWrongPrice) {
  OnPremNode node = Example();
  node.power_watts = std::numeric_limits<std::int64_t>::max();
  node.pue_milli = std::numeric_limits<std::int64_t>::max();
  const Result<BlockPrice> price = OnPremPrice(node);
  ASSERT_FALSE(price.has_value());
  EXPECT_EQ(price.error().code, ErrorCode::kOutOfRange);
}

}  // namespace
}  // namespace plimsoll
