#include "purchase/commit/spend_plan.h"

#include <gtest/gtest.h>

#include "model/commitment.h"

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }

// One hour of whole units.
SpendUsage Hour(const std::vector<std::int64_t>& units) {
  SpendUsage usage{units.size(), units};
  for (std::int64_t& used : usage.used) used *= kUnitHour;
  return usage;
}

// The example of AWS's documentation with the rates that add up: r5.4xlarge, m5.24xlarge, Fargate
// vCPU and GB, Lambda GB-seconds, Lambda requests (no discount, covered last).
const std::vector<SpendFlavor> kAws = {{Amount("1"), Amount("0.7")},
                                       {Amount("10"), Amount("8.2")},
                                       {Amount("0.04"), Amount("0.03")},
                                       {Amount("0.004"), Amount("0.003")},
                                       {Amount("0.000015"), Amount("0.00001275")},
                                       {Amount("0.2"), Amount("0.2")}};
SpendUsage AwsHour() { return Hour({4, 1, 400, 1'600, 1'500'000, 1}); }

TEST(SpendPlanTest, AwsExampleAddsUp) {
  const SpendOutcome none = ApplySpend(AwsHour(), kAws, Amount("0"));
  EXPECT_EQ(none.cost, Amount("59.10"));
  EXPECT_EQ(FullCover(AwsHour(), kAws), Amount("47.125"));
  const SpendOutcome full = ApplySpend(AwsHour(), kAws, Amount("47.125"));
  EXPECT_EQ(full.cost, Amount("47.125"));
  EXPECT_EQ(full.unused, Amount("0"));
}

TEST(SpendPlanTest, AwsExamplePartCovered) {
  const SpendOutcome two = ApplySpend(AwsHour(), kAws, Amount("2"));
  EXPECT_EQ(two.cost, Amount("58.242857143"));
  EXPECT_EQ(two.cost_rest, Amount("56.242857143"));
  EXPECT_EQ(static_cast<std::int64_t>(two.covered[0]), kUnitHour * 20 / 7);  // 2.857 r5.4xlarge
  const SpendOutcome more = ApplySpend(AwsHour(), kAws, Amount("18.20"));
  EXPECT_EQ(more.cost_rest, Amount("34.566666667"));
  EXPECT_EQ(more.cost, Amount("52.766666667"));
}

TEST(SpendPlanTest, AwsExampleWithTooMuch) {
  const SpendOutcome fifty = ApplySpend(AwsHour(), kAws, Amount("50"));
  EXPECT_EQ(fifty.cost, Amount("50"));
  EXPECT_EQ(fifty.unused, Amount("2.875"));
}

// Requests have no discount: the optimum leaves them out, and costs the same.
TEST(SpendPlanTest, NothingIsCommittedForWhatHasNoDiscount) {
  EXPECT_EQ(*BestSpend(AwsHour(), kAws), Amount("46.925"));
  EXPECT_EQ(ApplySpend(AwsHour(), kAws, Amount("46.925")).cost, Amount("47.125"));
}

// AWS's older example: 25 an hour covers all of it. c5.9xlarge, c5.24xlarge, Fargate vCPU and GB.
TEST(SpendPlanTest, OlderAwsExampleIsCoveredBy25) {
  const std::vector<SpendFlavor> flavors = {{Amount("4"), Amount("2")},
                                            {Amount("10"), Amount("8")},
                                            {Amount("1.5"), Amount("1")},
                                            {Amount("2"), Amount("1")}};
  const SpendUsage usage = Hour({1, 1, 10, 5});
  EXPECT_EQ(FullCover(usage, flavors), Amount("25"));
  EXPECT_EQ(ApplySpend(usage, flavors, Amount("25")).cost, Amount("25"));
}

// The narrower plan goes first, at its own prices (c5.9xlarge 1, c5.24xlarge 6); what it leaves is
// the wider plan's.
TEST(SpendPlanTest, PlansApplyOneAfterAnother) {
  const std::vector<SpendFlavor> narrow = {{Amount("4"), Amount("1")}, {Amount("10"), Amount("6")}};
  const std::vector<SpendFlavor> wide = {{Amount("4"), Amount("2")}, {Amount("10"), Amount("8")}};
  const SpendUsage rest = RestOf(Hour({1, 1}), narrow, Amount("4"));
  EXPECT_EQ(rest.used, (std::vector<std::int64_t>{0, kUnitHour / 2}));  // 75 % off before 40 %
  EXPECT_EQ(*BestSpend(rest, wide), Amount("4"));
  EXPECT_EQ(ApplySpend(rest, wide, Amount("4")).cost, Amount("4"));
}

// What others advise in on-demand dollars is too much by the discount: 10 an hour on demand are
// 5.5 of commitment at 45 % off, and the rest is lost.
TEST(SpendPlanTest, CommitmentsAreInPlanMoney) {
  const std::vector<SpendFlavor> flavors = {{Amount("10"), Amount("5.5")}};
  const SpendUsage usage = Hour({1});
  EXPECT_EQ(*BestSpend(usage, flavors), Amount("5.5"));
  EXPECT_EQ(ApplySpend(usage, flavors, Amount("10")).unused, Amount("4.5"));
}

// commitment + what is left on demand = on demand - saving: 1.390 + 0.65 = 2.47 - 0.43.
TEST(SpendPlanTest, CommitmentAndRestAreOnDemandLessSaving) {
  const std::vector<SpendFlavor> flavors = {{Amount("1.82"), Amount("1.39")}};
  SpendUsage usage = Hour({1});
  usage.used[0] = kUnitHour * 247 / 182;
  const SpendOutcome outcome = ApplySpend(usage, flavors, Amount("1.39"));
  const auto cents = [](Money money) {
    return static_cast<std::int64_t>(DivideHalfEven(money.nanos(), 10'000'000));
  };
  EXPECT_EQ(cents(outcome.cost_rest), 65);
  EXPECT_EQ(cents(outcome.cost_on_demand - outcome.cost), 43);
}

TEST(SpendPlanTest, MoneyNotUsedInAnHourIsLost) {
  const std::vector<SpendFlavor> flavors = {{Amount("10"), Amount("5")}};
  SpendUsage usage = Hour({0});
  usage.used = {0, 2 * kUnitHour};
  const SpendOutcome outcome = ApplySpend(usage, flavors, Amount("5"));
  EXPECT_EQ(outcome.used, Amount("5"));
  EXPECT_EQ(outcome.unused, Amount("5"));
  EXPECT_EQ(outcome.cost, Amount("20"));               // 10 committed, one unit on demand
  EXPECT_EQ(*BestSpend(usage, flavors), Amount("0"));  // half the time used at half the price
}

// The sum of what is used of the plan at its prices, and what is not, is the commitment.
TEST(SpendPlanTest, UsedAndUnusedAreTheCommitment) {
  const SpendOutcome outcome = ApplySpend(AwsHour(), kAws, Amount("13.337"));
  EXPECT_EQ(outcome.used + outcome.unused, Amount("13.337"));
}

TEST(SpendPlanTest, RestIsWhatThePlanDoesNotReach) {
  const SpendUsage rest = RestOf(Hour({4, 1}), std::span(kAws).first(2), Amount("2.8"));
  EXPECT_EQ(rest.used, (std::vector<std::int64_t>{0, kUnitHour}));
}

TEST(SpendPlanTest, PayingEarlyAtACostOfCapitalIsWorthLess) {
  const std::vector<SpendFlavor> flavors = {{Amount("1"), Amount("0.97")}};
  SpendOptions dear;
  dear.factor = 1'042'312'905;
  EXPECT_EQ(*BestSpend(Hour({1}), flavors), Amount("0.97"));
  EXPECT_EQ(*BestSpend(Hour({1}), flavors, dear), Amount("0"));
}

TEST(SpendPlanTest, SizesAreBounded) {
  const std::vector<SpendFlavor> flavors = {{Amount("20"), Amount("11")}};
  EXPECT_EQ(BestSpend(Hour({1'000'000}), flavors).error().code, ErrorCode::kOutOfRange);
}

}  // namespace
}  // namespace plimsoll
