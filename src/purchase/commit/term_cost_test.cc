#include "purchase/commit/term_cost.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }

CommitmentOffer Reserved(const char* rate) {
  CommitmentOffer offer;
  offer.name = "ri";
  offer.prices = {{"H100", Amount(rate)}};
  return offer;
}

// Millionths, as published figures are rounded.
std::int64_t Micros(Money money) {
  return static_cast<std::int64_t>(DivideHalfEven(money.nanos(), 1'000));
}

std::int64_t Hourly(const char* upfront, std::int64_t months, std::int64_t rate) {
  return Micros(HourlyOf(SpreadUpfront(Amount(upfront), months, rate), months));
}

// 100,000 all upfront: the effective hourly prices at 8 % a year and without cost of capital.
TEST(TermCostTest, UpfrontIsSpreadWithTheCostOfCapital) {
  EXPECT_EQ(Hourly("100000", 12, 80'000'000), 11'898'549);
  EXPECT_EQ(Hourly("100000", 12, 0), 11'415'525);
  EXPECT_EQ(Hourly("100000", 36, 80'000'000), 4'275'033);
  EXPECT_EQ(Hourly("100000", 36, 0), 3'805'175);
}

// Azure's trade-in: 250 outstanding over a year is 250 / 8760 an hour.
TEST(TermCostTest, TradeInIsOutstandingOverHours) {
  EXPECT_EQ(HourlyOf(Amount("250"), 12).ToString(), "0.028538813");
}

// A prepaid reservation with an hourly rate of 0 is not free: its upfront is amortized.
TEST(TermCostTest, AllUpfrontIsNotFree) {
  CommitmentOffer offer = Reserved("0");
  offer.payment = CommitmentPayment::kAllUpfront;
  offer.upfront = Amount("26280");
  ASSERT_TRUE(CheckOffer(offer));
  EXPECT_EQ(HourlyOf(*TermCost(offer, "H100", 0), 12).ToString(), "3.000000000");
}

TEST(TermCostTest, PartialUpfrontAddsBothParts) {
  CommitmentOffer offer = Reserved("1.5");
  offer.payment = CommitmentPayment::kPartialUpfront;
  offer.upfront = Amount("8760");
  EXPECT_EQ(HourlyOf(*TermCost(offer, "H100", 0), 12).ToString(), "2.500000000");
}

TEST(TermCostTest, MoneyPaidEarlyCostsMoreThanItsFace) {
  CommitmentOffer plan = Reserved("2");
  plan.kind = CommitmentKind::kSavingsPlan;
  EXPECT_EQ(HourlyOf(*TermCost(plan, "", 80'000'000), 12), Amount("1"));
  plan.payment = CommitmentPayment::kAllUpfront;
  EXPECT_EQ(HourlyOf(*TermCost(plan, "", 0), 12), Amount("1"));
  const Money all = HourlyOf(*TermCost(plan, "", 80'000'000), 12);
  plan.payment = CommitmentPayment::kPartialUpfront;
  const Money partial = HourlyOf(*TermCost(plan, "", 80'000'000), 12);
  EXPECT_EQ(Micros(all), 1'042'313);
  EXPECT_EQ(Micros(partial), 1'021'156);
}

TEST(TermCostTest, AFlavorWithoutAPriceIsNotFree) {
  EXPECT_EQ(TermCost(Reserved("1"), "A100", 0).error().code, ErrorCode::kNotFound);
  CommitmentOffer any = Reserved("1");
  any.prices.push_back({"*", Amount("7")});
  EXPECT_EQ(*PriceOf(any, "A100"), Amount("7"));
  EXPECT_EQ(*PriceOf(any, "H100"), Amount("1"));
}

TEST(TermCostTest, RefusesTermsThatTheProviderDoesNotSell) {
  CommitmentOffer cud = Reserved("1");
  cud.kind = CommitmentKind::kResourceCud;
  EXPECT_NE(CheckOffer(cud).error().message.find("attached_reservation"), std::string::npos);
  cud.attached_reservation = true;
  EXPECT_TRUE(CheckOffer(cud));
  cud.payment = CommitmentPayment::kAllUpfront;
  EXPECT_NE(CheckOffer(cud).error().message.find("never upfront"), std::string::npos);
  CommitmentOffer missing = Reserved("0");
  missing.payment = CommitmentPayment::kAllUpfront;
  EXPECT_NE(CheckOffer(missing).error().message.find("is missing"), std::string::npos);
  CommitmentOffer both = Reserved("1");
  both.payment = CommitmentPayment::kAllUpfront;
  both.upfront = Amount("1");
  EXPECT_NE(CheckOffer(both).error().message.find("rate: 0"), std::string::npos);
  CommitmentOffer plan = Reserved("1");
  plan.kind = CommitmentKind::kSavingsPlan;
  plan.upfront = Amount("1");
  EXPECT_NE(CheckOffer(plan).error().message.find("no upfront of its own"), std::string::npos);
  CommitmentOffer stray = Reserved("1");
  stray.upfront = Amount("1");
  EXPECT_FALSE(CheckOffer(stray));
  CommitmentOffer long_term = Reserved("1");
  long_term.term_months = 61;
  EXPECT_FALSE(CheckOffer(long_term));
  CommitmentOffer empty;
  EXPECT_FALSE(CheckOffer(empty));
}

}  // namespace
}  // namespace plimsoll
