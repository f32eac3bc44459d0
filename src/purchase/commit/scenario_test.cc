#include "purchase/commit/scenario.h"

#include <gtest/gtest.h>

#include "model/commitment.h"
#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }

class ScenarioTest : public testing::Test {
 protected:
  UsageCurve curve_{std::vector<std::int64_t>(24, 10 * kUnitHour)};
  UnitForecast forecast_{&curve_, std::vector<ForecastMonth>(36, {1'000'000, Amount("10"), 0}), 1};
  std::vector<UnitOffer> offers_{{36, Money::FromNanos(Amount("5.5").nanos() * 26'280)}};
  std::vector<UnitPurchase> bought_{{0, 0, 10}};

  ScenarioOutcome Judged(const Scenario& scenario) {
    return *Judge(scenario, forecast_, offers_, bought_, "H100");
  }
};

TEST_F(ScenarioTest, FlatUseIsNoRegret) {
  const ScenarioOutcome flat = Judged({});
  EXPECT_EQ(flat.regret, Money());
  EXPECT_EQ(flat.bought.stranded, Money());
  EXPECT_EQ(flat.bought.cost_without - flat.bought.cost, Amount("1182600"));  // 10 x 4.5 x 26,280
}

// A 45 % commitment the month before a 44 % cut saves next to nothing after it.
TEST_F(ScenarioTest, ThePriceCutOf2025LeavesOnePercent) {
  const ScenarioOutcome cut =
      Judged({ScenarioKind::kPriceCut, "price cut 44%", 440'000'000, 0, ""});
  EXPECT_EQ(cut.bought.cost_without - cut.bought.cost, Amount("26280"));  // 10 x 0.1 x 26,280
  EXPECT_EQ(cut.bought.stranded, Money());
  EXPECT_EQ(cut.regret, Money());
  const ScenarioOutcome deeper =
      Judged({ScenarioKind::kPriceCut, "price cut 50%", 500'000'000, 0, ""});
  EXPECT_EQ(deeper.regret, Amount("131400"));  // 10 x 0.5 x 26,280 above the market
  EXPECT_TRUE(deeper.purchases_best.empty());
}

TEST_F(ScenarioTest, BreakEvenCutIsTheDiscountOfWhatIsAlwaysUsed) {
  EXPECT_EQ(*BreakEvenPriceCut(forecast_, offers_, bought_), 450'000'000);
  const std::vector<UnitPurchase> too_many{{0, 0, 30}};
  EXPECT_FALSE(BreakEvenPriceCut(forecast_, offers_, too_many).has_value());
}

TEST_F(ScenarioTest, AMigrationStrandsWhatStaysBehind) {
  const ScenarioOutcome moved = Judged({ScenarioKind::kMigration, "", 500'000'000, 12, "H200"});
  EXPECT_EQ(moved.bought.stranded, Amount("481800"));  // 5 units x 5.5 x 17,520 hours
  // Who knew would have bought five for three years, and not five more for one and two thirds.
  EXPECT_EQ(moved.purchases_best, (std::vector<UnitPurchase>{{0, 0, 5}}));
  EXPECT_EQ(moved.regret, Amount("284700"));  // 5 x (26,280 x 5.5 - 8,760 x 10)
  Scenario target{ScenarioKind::kMigration, "", 500'000'000, 12, "H100"};
  EXPECT_EQ(Judged(target).bought.stranded, Money());
}

TEST_F(ScenarioTest, GrowthCompoundsByTheMonth) {
  const auto months =
      MonthsUnder({ScenarioKind::kGrowth, "", 100'000'000, 0, ""}, forecast_.months, "H100");
  EXPECT_EQ(months[0].scale, 1'000'000);
  EXPECT_EQ(months[6].scale, 1'048'809);  // sqrt(1.1)
  EXPECT_EQ(months[24].scale, 1'210'000);
  const auto decline =
      MonthsUnder({ScenarioKind::kDecline, "", 200'000'000, 0, ""}, forecast_.months, "H100");
  EXPECT_EQ(decline[12].scale, 800'000);
}

TEST_F(ScenarioTest, DeclineStrandsAndGrowthBuysMore) {
  const ScenarioOutcome decline = Judged({ScenarioKind::kDecline, "", 400'000'000, 0, ""});
  EXPECT_GT(decline.bought.stranded, Money());
  EXPECT_GT(decline.regret, Money());
  EXPECT_LT(decline.purchases_best.front().units, 10);
  const ScenarioOutcome growth = Judged({ScenarioKind::kGrowth, "", 400'000'000, 0, ""});
  EXPECT_EQ(growth.bought.stranded, Money());
  EXPECT_GT(growth.purchases_best.front().units, 10);
}

}  // namespace
}  // namespace plimsoll
