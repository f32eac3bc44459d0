#include "purchase/mix/fleet_choice.h"

#include <gtest/gtest.h>

#include "model/commitment.h"
#include "purchase/commit/marginal.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMonth = 730;

Money Of(const char* text) { return *Money::Parse(text); }
Money AMonth(const char* hourly) { return Money::FromNanos(Of(hourly).nanos() * kMonth); }

HourlyUnits Day(std::int64_t units) { return HourlyUnits(24, units * kUnitHour); }

FleetQuestion Question(std::int64_t fixed, const char* on_demand) {
  FleetQuestion question;
  question.fixed = Day(fixed);
  question.on_demand = Of(on_demand);
  return question;
}

TEST(FleetChoiceTest, WithoutOffersAllIsOnDemand) {
  const FleetChoice choice = ChooseFleet(Question(3, "2"));
  EXPECT_EQ(choice.units, 0);
  EXPECT_EQ(choice.cost, AMonth("6"));
  EXPECT_TRUE(choice.proven);
  EXPECT_EQ(choice.cost_least, choice.cost);
}

// A spot price of 1.56 against 2.712 on demand: a commitment pays from a discount of 42.5 % on.
TEST(FleetChoiceTest, ACommitmentMustBeatSpotToo) {
  FleetQuestion question = Question(0, "2.712");
  question.loads.push_back({Day(1), Of("1.56")});
  question.committed = AMonth("1.57296");  // 42 % off
  EXPECT_EQ(ChooseFleet(question).units, 0);
  question.committed = AMonth("1.54584");  // 43 % off
  EXPECT_EQ(ChooseFleet(question).units, 1);
}

// A commitment of 10 an hour with 6 in use, nodes at 2, spot at 1.2.
TEST(FleetChoiceTest, WhatACommitmentHasLeftCostsNothingMore) {
  FleetQuestion question = Question(3, "3");
  question.existing = 5;
  question.loads.push_back({Day(3), Of("1.2")});
  EXPECT_EQ(ChooseFleet(question).cost, AMonth("1.2"));
  // As node after node is placed.
  Money placed;
  for (const MarginalPlacement& node : PlaceNodes(8, {Of("4"), Of("2"), Of("3"), Of("1.2")})) {
    placed += node.cost;
  }
  question.loads.front().used = Day(8);
  EXPECT_EQ(ChooseFleet(question).cost, Money::FromNanos(placed.nanos() * kMonth));
  EXPECT_EQ(ChooseFleet(question).cost, AMonth("7.2"));
}

TEST(FleetChoiceTest, OneReservedUnitIsFreeOnce) {
  FleetQuestion question = Question(0, "3");
  question.existing = 1;
  question.loads.push_back({Day(10'000), Of("1")});
  EXPECT_EQ(ChooseFleet(question).cost, AMonth("9999"));
}

TEST(FleetChoiceTest, HoursDecideNotAverages) {
  FleetQuestion question = Question(0, "10");
  for (std::size_t h = 0; h < 12; ++h) question.fixed[h] = kUnitHour;
  question.committed = AMonth("5.5");
  EXPECT_EQ(ChooseFleet(question).units, 0);
  question.committed = AMonth("4.9");
  EXPECT_EQ(ChooseFleet(question).units, 1);
  question.committed = AMonth("5");  // a tie
  EXPECT_EQ(ChooseFleet(question).units, 0);
}

// Alone each is cheaper on spot; together they fill a unit.
TEST(FleetChoiceTest, RunsShareACommitment) {
  FleetQuestion question = Question(0, "10");
  for (const std::size_t first : {std::size_t{0}, std::size_t{12}}) {
    FleetRun run{HourlyUnits(24, 0), {}, AMonth("2.6")};
    for (std::size_t h = first; h < first + 12; ++h) run.used[h] = kUnitHour;
    question.runs.push_back(run);
  }
  question.committed = AMonth("5");
  const FleetChoice choice = ChooseFleet(question);
  EXPECT_EQ(choice.units, 1);
  EXPECT_EQ(choice.on_spot, (std::vector<bool>{false, false}));
  EXPECT_EQ(choice.cost, AMonth("5"));
  question.runs.pop_back();
  EXPECT_EQ(ChooseFleet(question).on_spot, (std::vector<bool>{true}));
}

TEST(FleetChoiceTest, EqualCostIsNoReasonForSpot) {
  FleetQuestion question = Question(0, "0.6984");
  question.runs.push_back({Day(1), {}, AMonth("0.6984")});
  EXPECT_EQ(ChooseFleet(question).on_spot, (std::vector<bool>{false}));
}

TEST(FleetChoiceTest, APenaltyOffSpotCounts) {
  FleetQuestion question = Question(0, "1");
  question.runs.push_back({Day(1), AMonth("2"), AMonth("2.5")});
  EXPECT_EQ(ChooseFleet(question).on_spot, (std::vector<bool>{true}));
  EXPECT_EQ(ChooseFleet(question).cost, AMonth("2.5"));
}

TEST(FleetChoiceTest, ASearchCutOffSaysHowFarItMayBe) {
  FleetQuestion question = Question(1, "10");
  question.committed = AMonth("5");
  question.nodes_max = 1;
  for (std::size_t i = 0; i < 6; ++i) {
    FleetRun run{HourlyUnits(24, 0), {}, AMonth(i % 2 == 0 ? "1.9" : "2.2")};
    for (std::size_t h = 4 * i; h < 4 * i + 5 + i && h < 24; ++h) run.used[h] = kUnitHour;
    question.runs.push_back(run);
  }
  const FleetChoice choice = ChooseFleet(question);
  EXPECT_FALSE(choice.proven);
  EXPECT_LT(choice.cost_least, choice.cost);
  question.nodes_max = 4'000;
  const FleetChoice best = ChooseFleet(question);
  EXPECT_TRUE(best.proven);
  EXPECT_LE(choice.cost_least, best.cost);
  EXPECT_LE(best.cost, choice.cost);
}

}  // namespace
}  // namespace plimsoll
