#include "purchase/commit/spend_advice.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }
Instant Hour(std::int64_t hour) { return AtMillis(Hours(hour).base()); }

HourlyUsage Flat(const char* flavor, std::int64_t units, std::int64_t hours,
                 std::int64_t from = 0) {
  HourlyUsage usage{flavor, {}, {}};
  for (std::int64_t h = from; h < from + hours; ++h) {
    usage.hour.push_back(Hour(h));
    usage.used.push_back(units * kUnitHour);
  }
  return usage;
}

CommitmentOffer Plan() {
  CommitmentOffer plan;
  plan.name = "sp";
  plan.kind = CommitmentKind::kSavingsPlan;
  plan.prices = {{"H100", Amount("5.5")}, {"H200", Amount("7")}};
  return plan;
}

class SpendAdviceTest : public testing::Test {
 protected:
  std::vector<HourlyUsage> usage_{Flat("H100", 2, 24), Flat("H200", 0, 24), Flat("L4", 3, 24)};
  std::vector<Money> on_demand_{Amount("10"), Amount("12"), Amount("1")};
  std::vector<std::int64_t> in_force_{0, 0, 0};
  SpendNeed Need() { return SpendNeedOf(usage_, on_demand_, in_force_, false); }
};

TEST_F(SpendAdviceTest, CoversWhatThePlanHasPricesFor) {
  const SpendAdvice advice = *AdviseSpend(Need(), Plan(), 0, {});
  EXPECT_EQ(advice.flavors, (std::vector<std::string>{"H100", "H200"}));
  EXPECT_EQ(advice.commitment, Amount("11"));
  EXPECT_EQ(advice.commitment_on_demand, Amount("20"));
  EXPECT_EQ(advice.outcome.cost, Amount("336"));  // 24 x (11 + 3)
  EXPECT_EQ(advice.outcome.cost_on_demand, Amount("552"));
}

TEST_F(SpendAdviceTest, UnitsInForceAreUsedFirst) {
  in_force_[0] = 1;
  EXPECT_EQ(AdviseSpend(Need(), Plan(), 0, {})->commitment, Amount("5.5"));
}

TEST_F(SpendAdviceTest, MissingHoursAreLeftOutOrZero) {
  usage_[1] = Flat("H200", 1, 12);
  EXPECT_EQ(SpendNeedOf(usage_, on_demand_, in_force_, false).usage.hours(), 12U);
  EXPECT_EQ(SpendNeedOf(usage_, on_demand_, in_force_, true).usage.hours(), 24U);
}

// A plan of money moves with the use where it covers the next flavor; units would be stranded.
TEST_F(SpendAdviceTest, APlanFollowsAMigrationThatItCovers) {
  const Scenario to_h200[] = {{ScenarioKind::kMigration, "", 1'000'000'000, 6, "H200"}};
  const SpendAdvice kept = *AdviseSpend(Need(), Plan(), 0, to_h200);
  EXPECT_EQ(kept.scenarios.front().unused, Money());
  const Scenario to_b200[] = {{ScenarioKind::kMigration, "", 1'000'000'000, 6, "B200"}};
  const SpendAdvice lost = *AdviseSpend(Need(), Plan(), 0, to_b200);
  EXPECT_EQ(lost.scenarios.front().unused, Amount("48180"));  // 11 x 730 x 6
  // Half of the months used is 50 %, below 55 %: who knew would have bought nothing.
  EXPECT_EQ(*lost.scenarios.front().regret, Amount("8760"));  // 12 x 730 x 11 - 6 x 730 x 20
}

TEST_F(SpendAdviceTest, APriceCutIsRegretted) {
  const Scenario cut[] = {{ScenarioKind::kPriceCut, "", 500'000'000, 0, ""}};
  const SpendAdvice advice = *AdviseSpend(Need(), Plan(), 0, cut);
  EXPECT_EQ(*advice.scenarios.front().regret, Amount("8760"));  // 1 an hour above the market
  EXPECT_EQ(advice.scenarios.front().unused, Money());
}

TEST_F(SpendAdviceTest, ErrorsNameTheOffer) {
  usage_ = {Flat("H100", 1'000'000, 1)};
  on_demand_ = {Amount("100")};
  in_force_ = {0};
  CommitmentOffer dear = Plan();
  dear.prices = {{"H100", Amount("50")}};
  EXPECT_EQ(AdviseSpend(Need(), dear, 0, {}).error().message.substr(0, 10), "offer 'sp'");
}

}  // namespace
}  // namespace plimsoll
