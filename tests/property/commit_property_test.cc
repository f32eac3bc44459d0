// Commitments chosen by levels and searches cost what the best of all combinations costs.
#include <gtest/gtest.h>

#include <random>

#include "model/commitment.h"
#include "property/naive_commit.h"
#include "purchase/commit/scenario.h"
#include "purchase/commit/term_cost.h"
#include "purchase/commit/unit_replay.h"

namespace plimsoll {
namespace {

std::int64_t Roll(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

NaiveForecast RandomForecast(std::mt19937_64& random, std::int64_t months, std::int64_t most) {
  NaiveForecast forecast;
  for (std::int64_t hours = Roll(random, 1, 8); hours > 0; --hours) {
    const bool whole = Roll(random, 0, 2) > 0;
    forecast.used.push_back(whole ? Roll(random, 0, most) * kUnitHour
                                  : Roll(random, 0, most * kUnitHour));
  }
  for (std::int64_t m = 0; m < months; ++m) {
    ForecastMonth month{Roll(random, 0, 3) == 0 ? Roll(random, 0, 1'000'000) : 1'000'000,
                        Money::Units(Roll(random, 1, 6)), Roll(random, 0, 3) == 0 ? 1 : 0};
    if (m > 0 && Roll(random, 0, 1) == 0) month = forecast.months.back();
    forecast.months.push_back(month);
  }
  return forecast;
}

UnitOffer RandomOffer(std::mt19937_64& random, std::int64_t months) {
  // Whole multiples of 730 make ties with on-demand prices common.
  return {months, Money::Units(kHoursPerMonth * Roll(random, 1, 6 * months))};
}

struct Tried {
  std::vector<UnitPurchase> plan;
  int128 cost = 0;
};
Tried Ours(const NaiveForecast& forecast, std::span<const UnitOffer> offers) {
  const UsageCurve curve(forecast.used);
  const auto plan = BestPurchases({&curve, forecast.months, forecast.step}, offers);
  EXPECT_TRUE(plan) << plan.error().message;
  return {*plan, NaiveCost(forecast, offers, *plan)};
}

TEST(CommitPropertyTest, OneTermIsTheBestOfAllQuantitiesAndTheSmallest) {
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    NaiveForecast forecast = RandomForecast(random, 2, 6);
    forecast.step = Roll(random, 1, 3);
    const UnitOffer offers[] = {RandomOffer(random, 2)};
    const Tried ours = Ours(forecast, offers);
    const std::int64_t units = ours.plan.empty() ? 0 : ours.plan.front().units;
    int128 least = -1;
    std::int64_t smallest = 0;
    for (std::int64_t q = 0; q <= 9; q += forecast.step) {
      const UnitPurchase bought[] = {{0, 0, q}};
      const int128 cost = NaiveCost(forecast, offers, bought);
      if (least < 0 || cost < least) {
        least = cost;
        smallest = q;
      }
    }
    ASSERT_TRUE(ours.cost == least);
    ASSERT_EQ(units, smallest);
  }
}

TEST(CommitPropertyTest, TwoAndThreeTermsAreTheBestOfAllCombinations) {
  std::int64_t stacked = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    NaiveForecast forecast = RandomForecast(random, 4, 3);
    if (seed % 3 != 0) {  // use that falls or rises halfway, which is what terms stack for
      for (ForecastMonth& month : forecast.months) month = {1'000'000, Money::Units(6), 0};
      const std::size_t half = seed % 3 == 1 ? 2 : 0;
      forecast.months[half].scale = forecast.months[half + 1].scale = Roll(random, 0, 600'000);
      for (std::int64_t& used : forecast.used) used = (used + 3 * kUnitHour) / 2;
    }
    // Longer terms are cheaper, as they are sold, so that stacks come up often.
    const std::int64_t price = Roll(random, 2, 4);
    std::vector<UnitOffer> offers = {
        {2, Money::Units(kHoursPerMonth * 2 * price)},
        {4, Money::Units(kHoursPerMonth * 4 * (price - 1) + Roll(random, -500, 500))}};
    if (seed % 2 == 0) offers.push_back({1, Money::Units(kHoursPerMonth * (price + 1))});
    const Tried ours = Ours(forecast, offers);
    ASSERT_TRUE(ours.cost == NaiveLeast(forecast, offers, 3));
    bool longest = false, shorter = false;
    for (const UnitPurchase& purchase : ours.plan) {
      (purchase.offer == 1 ? longest : shorter) = true;
    }
    stacked += longest && shorter ? 1 : 0;
  }
  EXPECT_GT(stacked, 10);  // the test is of stacks too, not of single terms alone
}

TEST(CommitPropertyTest, OutcomeAddsUpToTheNaiveCost) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const NaiveForecast forecast = RandomForecast(random, 4, 5);
    const std::vector<UnitOffer> offers = {RandomOffer(random, 2), RandomOffer(random, 4)};
    const std::vector<UnitPurchase> bought = {{1, 0, Roll(random, 0, 3)},
                                              {0, 2, Roll(random, 0, 3)}};
    const UsageCurve curve(forecast.used);
    const UnitOutcome outcome = OutcomeOf({&curve, forecast.months, 1}, offers, bought);
    const int128 per = int128{kUnitHour} * UsageCurve::kWhole * curve.hours();
    ASSERT_TRUE(outcome.cost.nanos() == DivideHalfEven(NaiveCost(forecast, offers, bought), per));
    ASSERT_TRUE(outcome.cost_without.nanos() ==
                DivideHalfEven(NaiveCost(forecast, offers, {}), per));
    ASSERT_LE(outcome.stranded, outcome.cost_committed + Money::FromNanos(8));
    ASSERT_GE(outcome.stranded, Money());
  }
}

TEST(CommitPropertyTest, RegretIsNeverNegative) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const NaiveForecast forecast = RandomForecast(random, 12, 9);
    const std::vector<UnitOffer> offers = {RandomOffer(random, 12), RandomOffer(random, 6)};
    const UsageCurve curve(forecast.used);
    const UnitForecast as_is{&curve, forecast.months, 1};
    const auto plan = *BestPurchases(as_is, offers);
    const Scenario scenario{static_cast<ScenarioKind>(seed % 5), "", Roll(random, 0, 999'999'999),
                            Roll(random, 0, 11), "other"};
    const ScenarioOutcome judged = *Judge(scenario, as_is, offers, plan, "own");
    ASSERT_GE(judged.regret, Money());
    ASSERT_EQ(judged.bought.cost - judged.best.cost, judged.regret);
    if (scenario.kind == ScenarioKind::kFlat) {
      ASSERT_EQ(judged.regret, Money());
    }
  }
}

TEST(CommitPropertyTest, MoneyOverSeveralFlavorsIsTheBestVertex) {
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::int64_t flavors = Roll(random, 1, 4);
    std::vector<std::int64_t> on_demand, plan;
    std::vector<SpendFlavor> prices;
    for (std::int64_t i = 0; i < flavors; ++i) {
      plan.push_back(Roll(random, 1, 6));
      on_demand.push_back(plan.back() + Roll(random, 0, 6));
      prices.push_back({Money::Units(on_demand.back()), Money::Units(plan.back())});
    }
    std::vector<std::vector<std::int64_t>> hours;
    SpendUsage usage{static_cast<std::size_t>(flavors), {}};
    for (std::int64_t h = Roll(random, 1, 9); h > 0; --h) {
      hours.emplace_back();
      for (std::int64_t i = 0; i < flavors; ++i) {
        hours.back().push_back(Roll(random, 0, 5));
        usage.used.push_back(hours.back().back() * kUnitHour);
      }
    }
    const NaiveSpend naive = NaiveBestSpend(hours, on_demand, plan, 60);
    const Money ours = *BestSpend(usage, prices, {1'000'000'000, Money::Units(1)});
    ASSERT_EQ(ours, Money::Units(naive.commitment));
    const SpendOutcome outcome = ApplySpend(usage, prices, ours);
    ASSERT_LE((outcome.cost.nanos() - DivideHalfEven(naive.cost * Money::kNanosPerUnit, 60)), 1);
    ASSERT_GE((outcome.cost.nanos() - DivideHalfEven(naive.cost * Money::kNanosPerUnit, 60)), -1);
  }
}

// The rate of one flavor: a plan of money and units at the same price are the same offer.
TEST(CommitPropertyTest, MoneyForOneFlavorIsUnits) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const NaiveForecast forecast = RandomForecast(random, 12, 9);
    const Money price = Money::Units(Roll(random, 1, 9));
    const UsageCurve curve(forecast.used);
    const UnitOffer offers[] = {{12, Money::FromNanos(price.nanos() * kHoursPerMonth * 12)}};
    const UnitForecast flat{&curve,
                            std::vector<ForecastMonth>(12, {1'000'000, Money::Units(10), 0}), 1};
    const auto plan = *BestPurchases(flat, offers);
    const std::int64_t units = plan.empty() ? 0 : plan.front().units;
    const SpendFlavor flavor[] = {{Money::Units(10), price}};
    const SpendUsage usage{1, forecast.used};
    ASSERT_EQ(*BestSpend(usage, flavor, {1'000'000'000, price}),
              Money::FromNanos(price.nanos() * units));
    const ReplayUnits in_force[] = {{units, offers[0].term_cost, 12}};
    const Money cost = Replay(curve, Money::Units(10), in_force).cost;
    const Money spend = ApplySpend(usage, flavor, Money::FromNanos(price.nanos() * units)).cost;
    ASSERT_LE((cost - spend).nanos(), 1);
    ASSERT_GE((cost - spend).nanos(), -1);
  }
}

}  // namespace
}  // namespace plimsoll
