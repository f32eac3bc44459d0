#include "purchase/commit/unit_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/commitment.h"
#include "purchase/commit/term_cost.h"
#include "purchase/commit/unit_replay.h"

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }

UsageCurve Curve(std::vector<std::int64_t> units) {
  for (std::int64_t& used : units) used *= kUnitHour;
  return UsageCurve(std::move(units));
}

UnitOffer Offer(Money hourly, std::int64_t months = 12) {
  return {months, Money::FromNanos(hourly.nanos() * kHoursPerMonth * months)};
}

UnitForecast Flat(const UsageCurve& curve, std::size_t months = 12, const char* price = "10") {
  return {&curve, std::vector<ForecastMonth>(months, ForecastMonth{1'000'000, Amount(price), 0}),
          1};
}

// What one offer asks for, and what the measured hours cost with it.
struct Answer {
  std::int64_t units = 0;
  Money cost;
};
Answer Best(const std::vector<std::int64_t>& hours, const char* hourly, const char* price = "10") {
  const UsageCurve curve = Curve(hours);
  const UnitOffer offers[] = {Offer(Amount(hourly))};
  const auto plan = *BestPurchases(Flat(curve, 12, price), offers);
  const std::int64_t units = plan.empty() ? 0 : plan.front().units;
  const ReplayUnits in_force[] = {{units, offers[0].term_cost, 12}};
  return {units, Replay(curve, Amount(price), in_force).cost};
}

std::vector<std::int64_t> Repeat(const std::vector<std::int64_t>& day, int days) {
  std::vector<std::int64_t> hours;
  for (int i = 0; i < days; ++i) hours.insert(hours.end(), day.begin(), day.end());
  return hours;
}

std::vector<std::int64_t> HalfDay(std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> day(12, low);
  day.insert(day.end(), 12, high);
  return day;
}

// Peers' rule: commit to the fifth percentile of daily averages.
std::int64_t FifthPercentileOfDays(const std::vector<std::int64_t>& hours) {
  std::vector<std::int64_t> days;
  for (std::size_t i = 0; i < hours.size(); i += 24) {
    const auto at = hours.begin() + static_cast<std::ptrdiff_t>(i);
    days.push_back(std::accumulate(at, at + 24, std::int64_t{0}) / 24);
  }
  return Curve(days).Percentile(5) / kUnitHour;
}

Money CostOfCommitting(const std::vector<std::int64_t>& hours, std::int64_t units,
                       const char* hourly, const char* price) {
  const ReplayUnits in_force[] = {{units, Offer(Amount(hourly)).term_cost, 12}};
  return Replay(Curve(hours), Amount(price), in_force).cost;
}

// Input A: 12 hours of 10, 12 of nothing, at 45 % off. Days average 5 and peers commit to it.
TEST(UnitPlanTest, NightsWithoutUseAreNotHiddenByDailyAverages) {
  const std::vector<std::int64_t> hours = Repeat(HalfDay(0, 10), 30);
  EXPECT_EQ(FifthPercentileOfDays(hours), 5);
  const Money theirs = CostOfCommitting(HalfDay(0, 10), 5, "0.55", "1");
  EXPECT_EQ(theirs, Amount("126"));
  const Answer ours = Best(hours, "0.55", "1");
  EXPECT_EQ(ours.units, 0);
  EXPECT_EQ(ours.cost, Amount("3600"));  // 120 a day
}

// Input B: an instance that runs one day of seven. Peers take the greatest day for all of them.
TEST(UnitPlanTest, OneDayOfSevenIsNoReasonToCommit) {
  std::vector<std::int64_t> week(24, 1);
  week.resize(168, 0);
  EXPECT_EQ(*std::max_element(week.begin(), week.end()), 1);  // what peers go by
  EXPECT_GT(CostOfCommitting(week, 1, "5.5", "10"), CostOfCommitting(week, 0, "5.5", "10"));
  EXPECT_EQ(Best(week, "5.5").units, 0);
}

// Input C: 4 units half the day and 10 the other half.
TEST(UnitPlanTest, BreakEvenUtilizationMovesTheQuantity) {
  const std::vector<std::int64_t> day = HalfDay(4, 10);
  const auto check = [&](const char* hourly, std::int64_t units, const char* cost) {
    const Answer answer = Best(day, hourly, "1");
    EXPECT_EQ(answer.units, units) << hourly;
    EXPECT_EQ(answer.cost, Amount(cost)) << hourly;
  };
  check("0.73", 4, "142.08");
  check("0.55", 4, "124.80");
  check("0.50", 4, "120.00");  // up to 10 costs the same: the smaller
  check("0.40", 10, "96.00");
}

// Input D: a training day.
TEST(UnitPlanTest, ATrainingDayIsCommittedStepByStep) {
  const std::vector<std::int64_t> day = {0, 0, 0, 2, 2, 4, 4, 8, 8, 8, 8, 8,
                                         8, 8, 8, 8, 6, 6, 4, 2, 2, 0, 0, 0};
  const auto check = [&](const char* hourly, std::int64_t units, const char* cost) {
    const Answer answer = Best(day, hourly, "1");
    EXPECT_EQ(answer.units, units) << hourly;
    EXPECT_EQ(answer.cost, Amount(cost)) << hourly;
  };
  check("0.8", 0, "104");
  check("0.7", 2, "101.6");
  check("0.6", 2, "96.8");
  check("0.5", 4, "88");
  check("0.4", 6, "75.6");
  check("0.3", 8, "57.6");
}

// Two of 0.3492 are one of 0.6984: nothing is saved, nothing is done.
TEST(UnitPlanTest, AnEqualPriceIsNoReasonToAct) {
  EXPECT_EQ(Best({2, 2, 2}, "0.3492", "0.3492").units, 0);
  EXPECT_EQ(Best({2, 2, 2}, "0.349199999", "0.3492").units, 2);
}

TEST(UnitPlanTest, TheCheaperOfTwoTermsTakesTheAlwaysOnPart) {
  const UsageCurve curve = Curve(HalfDay(4, 10));
  const UnitOffer offers[] = {Offer(Amount("7.3"), 12), Offer(Amount("5.5"), 36)};
  const auto plan = *BestPurchases(Flat(curve, 36), offers);
  EXPECT_EQ(plan, (std::vector<UnitPurchase>{{1, 0, 4}}));
}

// From month 12 on half of the use is gone: three years for what stays, one for the rest.
TEST(UnitPlanTest, TermsStackWhereUseIsKnownToEnd) {
  const UsageCurve curve = Curve(std::vector<std::int64_t>(24, 10));
  UnitForecast forecast = Flat(curve, 36);
  for (std::size_t m = 12; m < 36; ++m) forecast.months[m].scale = 500'000;
  const UnitOffer offers[] = {Offer(Amount("7"), 12), Offer(Amount("5"), 36)};
  const auto plan = *BestPurchases(forecast, offers);
  EXPECT_EQ(plan, (std::vector<UnitPurchase>{{1, 0, 5}, {0, 0, 5}}));
  const UnitOutcome outcome = OutcomeOf(forecast, offers, plan);
  EXPECT_EQ(outcome.cost, Money::Units(5 * 5 * 26'280 + 5 * 7 * 8'760));
  EXPECT_EQ(outcome.stranded, Amount("0"));
}

// Existing units are used first; what they leave is bought, and their share when they expire.
TEST(UnitPlanTest, ExistingCommitmentsComeFirstUntilTheyExpire) {
  const UsageCurve curve = Curve(std::vector<std::int64_t>(24, 10));
  UnitForecast forecast = Flat(curve, 12);
  for (ForecastMonth& month : forecast.months) month.existing_units = 6;
  const UnitOffer offers[] = {Offer(Amount("5.5"))};
  EXPECT_EQ(BestPurchases(forecast, offers)->front().units, 4);
  for (std::size_t m = 4; m < 12; ++m) forecast.months[m].existing_units = 0;
  EXPECT_EQ(BestPurchases(forecast, offers)->front().units, 10);  // 8 of 12 months > 55 %
  for (std::size_t m = 4; m < 6; ++m) forecast.months[m].existing_units = 6;
  EXPECT_EQ(BestPurchases(forecast, offers)->front().units, 4);  // 6 of 12 months < 55 %
}

TEST(UnitPlanTest, UnitsAreSoldByTheInstance) {
  const UsageCurve curve = Curve(std::vector<std::int64_t>(24, 20));
  UnitForecast forecast = Flat(curve);
  forecast.step = 8;
  const UnitOffer cheap[] = {Offer(Amount("4"))}, dear[] = {Offer(Amount("5.5"))};
  EXPECT_EQ(BestPurchases(forecast, cheap)->front().units, 24);  // the third is half used
  EXPECT_EQ(BestPurchases(forecast, dear)->front().units, 16);
}

TEST(UnitPlanTest, APriceCutStrandsNothingAndStillCosts) {
  const UsageCurve curve = Curve(std::vector<std::int64_t>(24, 1));
  UnitForecast forecast = Flat(curve, 36);
  for (ForecastMonth& month : forecast.months) month.on_demand = Amount("5.4");
  const UnitOffer offers[] = {Offer(Amount("5.5"), 36)};
  const std::vector<UnitPurchase> bought = {{0, 0, 1}};
  const UnitOutcome outcome = OutcomeOf(forecast, offers, bought);
  EXPECT_EQ(outcome.stranded, Amount("0"));
  EXPECT_EQ(outcome.cost - outcome.cost_without, Amount("2628"));  // 0.1 x 26,280 hours
  EXPECT_TRUE(BestPurchases(forecast, offers)->empty());
}

TEST(UnitPlanTest, TermsThatDoNotDivideAreRefused) {
  const UsageCurve curve = Curve({1});
  const UnitOffer offers[] = {Offer(Amount("5"), 24), Offer(Amount("5"), 36)};
  EXPECT_EQ(BestPurchases(Flat(curve, 36), offers).error().code, ErrorCode::kInvalidArgument);
}

TEST(UnitPlanTest, SizesAreBounded) {
  const UnitOffer offers[] = {Offer(Amount("5"))};
  const UsageCurve many = Curve({2'000'000});
  EXPECT_EQ(BestPurchases(Flat(many), offers).error().code, ErrorCode::kOutOfRange);
  const UsageCurve dear = Curve({999'000});
  EXPECT_EQ(BestPurchases(Flat(dear, 12, "100"), offers).error().code, ErrorCode::kOutOfRange);
  const UsageCurve none = Curve({});
  EXPECT_TRUE(BestPurchases(Flat(none), offers)->empty());
}

TEST(UnitPlanTest, FractionsOfAUnitCount) {
  // Half a unit, always: worth 5 of 10 an hour, less than 5.5.
  const UsageCurve curve(std::vector<std::int64_t>(24, kUnitHour / 2));
  const UnitOffer dear[] = {Offer(Amount("5.5"))}, cheap[] = {Offer(Amount("4.9"))};
  EXPECT_TRUE(BestPurchases(Flat(curve), dear)->empty());
  EXPECT_EQ(BestPurchases(Flat(curve), cheap)->front().units, 1);
}

}  // namespace
}  // namespace plimsoll
