#include "purchase/commit/advice.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }
const Instant kStart = *ParseInstant("2026-12-01T00:00:00Z");

class AdviceTest : public testing::Test {
 protected:
  AdviceTest() {
    options_.start = kStart;
    Offer("1y", 12, "5.5");
  }
  void Offer(const char* name, std::int64_t months, const char* rate) {
    CommitmentOffer offer;
    offer.name = name;
    offer.term_months = months;
    offer.prices = {{"*", Amount(rate)}};
    offers_.push_back(offer);
  }
  // `days` of these hours each, up to the start.
  void Use(const std::vector<std::int64_t>& day, std::int64_t days) {
    for (std::int64_t d = 0; d < days; ++d) {
      for (const std::int64_t units : day) usage_.used.push_back(units * kUnitHour);
    }
    usage_.hour.clear();
    const auto hours = static_cast<std::int64_t>(usage_.used.size());
    for (std::int64_t h = 0; h < hours; ++h) usage_.hour.push_back(kStart - Hours(hours - h));
  }
  CommitAdvice Ask() {
    Result<CommitAdvice> advice = Advise(usage_, Amount("10"), offers_, existing_, options_);
    EXPECT_TRUE(advice) << advice.error().message;
    return *std::move(advice);
  }

  HourlyUsage usage_{"H100", {}, {}};
  std::vector<CommitmentOffer> offers_;
  std::vector<ExistingCommitment> existing_;
  CommitOptions options_;
};

std::vector<std::int64_t> Day(std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> day(12, low);
  day.insert(day.end(), 12, high);
  return day;
}

TEST_F(AdviceTest, GivesTheOptimumBesideTheBaseline) {
  Use(Day(4, 10), 10);
  const CommitAdvice advice = Ask();
  EXPECT_EQ(advice.units, 4);
  EXPECT_EQ(advice.used_p5, 4 * kUnitHour);
  EXPECT_EQ(advice.after.cost, Amount("12480"));
  EXPECT_EQ(advice.after.cost_on_demand, Amount("16800"));
  EXPECT_EQ(advice.alone.front().break_even, 550'000'000);
  EXPECT_EQ(*advice.utilization, 1'000'000'000);
  EXPECT_EQ(advice.stranded, Money());
}

// Sum of what is paid for used and unused commitment hours is the commitment: nothing twice.
TEST_F(AdviceTest, CoveredUnusedAndRestAreTheCost) {
  offers_.front().prices = {{"*", Amount("4")}};
  Use(Day(4, 10), 10);
  const CommitAdvice advice = Ask();
  EXPECT_EQ(advice.units, 10);
  EXPECT_EQ(advice.after.cost_committed, Amount("9600"));
  EXPECT_EQ(advice.after.cost, Amount("9600"));
  EXPECT_EQ(advice.stranded, Amount("2880"));  // 6 units x 120 hours x 4
  EXPECT_EQ(*advice.utilization, 700'000'000);
}

TEST_F(AdviceTest, ExistingUnitsOfThisFlavorAreNettedUntilTheyExpire) {
  existing_ = {{"old", "H100", 6, Amount("6"), kStart + Days(400)},
               {"gone", "H100", 50, Amount("6"), kStart},
               {"other", "A100", 50, Amount("6"), kStart + Days(400)}};
  Use(Day(10, 10), 10);
  const CommitAdvice advice = Ask();
  EXPECT_EQ(advice.existing_units, 6);
  EXPECT_EQ(advice.units, 4);
  EXPECT_EQ(advice.after.cost_committed, Amount("13920"));  // (6 x 6 + 4 x 5.5) x 240
  EXPECT_EQ(*advice.after.coverage(), 1'000'000'000);
}

TEST_F(AdviceTest, TheRecentHorizonLowersOnlyIfAsked) {
  Use(Day(10, 10), 60);
  for (std::size_t h = usage_.used.size() - 24 * 20; h < usage_.used.size(); ++h) {
    usage_.used[h] = 2 * kUnitHour;
  }
  const CommitAdvice all = Ask();
  EXPECT_EQ(all.units, 10);
  EXPECT_EQ(*all.units_recent, 2);
  options_.cautious = true;
  EXPECT_EQ(Ask().units, 2);
  options_.recent = Days(60);
  EXPECT_FALSE(Ask().units_recent.has_value());
}

TEST_F(AdviceTest, TargetsReplaceTheOptimum) {
  Use(Day(4, 10), 10);
  options_.target_utilization = 900'000'000;
  EXPECT_EQ(Ask().units, 5);
  options_.target_utilization.reset();
  options_.target_coverage = 1'000'000'000;
  EXPECT_EQ(Ask().units, 10);
}

TEST_F(AdviceTest, OffersOfMoneyOrWithoutAPriceAreLeftOut) {
  offers_.front().kind = CommitmentKind::kSavingsPlan;
  Offer("3y", 36, "4");
  offers_.back().prices = {{"A100", Amount("1")}};
  Use(Day(4, 10), 10);
  const CommitAdvice advice = Ask();
  EXPECT_TRUE(advice.alone.empty());
  EXPECT_EQ(advice.units, 0);
  EXPECT_EQ(advice.after.cost, advice.after.cost_on_demand);
  EXPECT_FALSE(advice.utilization.has_value());
}

TEST_F(AdviceTest, ScenariosAndLadderFollowThePurchase) {
  Offer("3y", 36, "4.5");
  Use(Day(10, 10), 10);
  options_.scenarios = {{ScenarioKind::kPriceCut, "", 440'000'000, 0, ""},
                        {ScenarioKind::kMigration, "", 500'000'000, 6, "H200"}};
  options_.ladder = 3;
  const CommitAdvice advice = Ask();
  EXPECT_EQ(advice.purchases, (std::vector<UnitPurchase>{{1, 0, 10}}));
  EXPECT_EQ(*advice.break_even_price_cut, 550'000'000);
  ASSERT_EQ(advice.scenarios.size(), 2U);
  EXPECT_EQ(advice.scenarios[0].bought.stranded, Money());
  EXPECT_GT(advice.scenarios[1].bought.stranded, Money());
  EXPECT_EQ(advice.ladder.size(), 3U);
  EXPECT_EQ(advice.ladder.back().units_total, 10);
}

TEST_F(AdviceTest, ErrorsNameTheFlavor) {
  Offer("2y", 24, "5");
  Offer("3y", 36, "5");
  Use(Day(10, 10), 1);
  const auto refused = Advise(usage_, Amount("10"), offers_, existing_, options_);
  EXPECT_EQ(refused.error().message.substr(0, 6), "H100: ");
}

}  // namespace
}  // namespace plimsoll
