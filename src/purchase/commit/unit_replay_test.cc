#include "purchase/commit/unit_replay.h"

#include <gtest/gtest.h>

#include "model/commitment.h"

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }

UsageCurve Curve(std::vector<std::int64_t> units) {
  for (std::int64_t& used : units) used *= kUnitHour;
  return UsageCurve(std::move(units));
}

// `hourly` for each unit, held all hours.
ReplayUnits Units(std::int64_t units, const char* hourly) {
  return {units, Money::FromNanos(Amount(hourly).nanos() * 8'760), 12};
}

TEST(UnitReplayTest, CommittedAndOnDemandAddUp) {
  const ReplayUnits four[] = {Units(4, "5.5")};
  const UnitReplay replay = Replay(Curve({4, 4, 10, 10}), Amount("10"), four);
  EXPECT_EQ(replay.cost_committed, Amount("88"));
  EXPECT_EQ(replay.cost, Amount("208"));
  EXPECT_EQ(replay.cost_on_demand, Amount("280"));
  EXPECT_EQ(replay.saving, Amount("72"));
  EXPECT_EQ(*replay.coverage(), 571'428'571);
  EXPECT_EQ(*replay.utilization(), 1'000'000'000);
  EXPECT_EQ(replay.stranded, Amount("0"));
}

// Effective savings rate = coverage x (1 - (1 - d) / utilization): 80 % and 95 % at 45 % off are
// 33.684 %. 76 of 95 hours of use are covered by 80 committed ones.
TEST(UnitReplayTest, SavingsRateIsCoverageTimesWhatUtilizationLeaves) {
  std::vector<std::int64_t> hours(80, 0);
  for (std::size_t i = 0; i < 76; ++i) hours[i] = i < 19 ? 2 : 1;
  const ReplayUnits one[] = {Units(1, "5.5")};
  const UnitReplay replay = Replay(Curve(hours), Amount("10"), one);
  EXPECT_EQ(*replay.coverage(), 800'000'000);
  EXPECT_EQ(*replay.utilization(), 950'000'000);
  EXPECT_EQ(*replay.effective_savings_rate(), 336'842'105);
  EXPECT_EQ(replay.stranded, Amount("22"));
}

TEST(UnitReplayTest, LittleUsedCommitmentsLose) {
  const ReplayUnits one[] = {Units(1, "5.5")};
  const UnitReplay replay = Replay(Curve({1, 0}), Amount("10"), one);
  EXPECT_EQ(replay.saving, Amount("-1"));
  EXPECT_LT(*replay.effective_savings_rate(), 0);
}

// A reservation that nothing runs on is billed whole and is all stranded.
TEST(UnitReplayTest, AnIdleReservationIsAllStranded) {
  const ReplayUnits one[] = {Units(3, "10")};
  const UnitReplay replay = Replay(Curve({0, 0}), Amount("10"), one);
  EXPECT_EQ(replay.cost, Amount("60"));
  EXPECT_EQ(replay.stranded, Amount("60"));
  EXPECT_FALSE(replay.coverage().has_value());
  EXPECT_EQ(*replay.utilization(), 0);
}

// One reserved unit makes one unit of ten thousand free, not all of them.
TEST(UnitReplayTest, AReservationIsNotUnlimited) {
  const ReplayUnits one[] = {Units(1, "0")};
  EXPECT_EQ(Replay(Curve({10'000}), Amount("2"), one).cost, Amount("19998"));
}

TEST(UnitReplayTest, TargetsAreFoundExactly) {
  const UsageCurve curve = Curve({4, 4, 10, 10});
  EXPECT_EQ(UnitsAtUtilization(curve, 0, 1'000'000'000, 1), 4);
  EXPECT_EQ(UnitsAtUtilization(curve, 0, 950'000'000, 1), 4);
  EXPECT_EQ(UnitsAtUtilization(curve, 0, 900'000'000, 1), 5);  // 18 of 20
  EXPECT_EQ(UnitsAtUtilization(curve, 0, 700'000'000, 1), 10);
  EXPECT_EQ(UnitsAtUtilization(curve, 4, 950'000'000, 1), 0);
  EXPECT_EQ(UnitsAtUtilization(curve, 0, 900'000'000, 4), 4);
  EXPECT_EQ(UnitsAtCoverage(curve, 0, 570'000'000, 1), 4);
  EXPECT_EQ(UnitsAtCoverage(curve, 0, 1'000'000'000, 1), 10);
  EXPECT_EQ(UnitsAtCoverage(curve, 0, 600'000'000, 8), 8);
}

}  // namespace
}  // namespace plimsoll
