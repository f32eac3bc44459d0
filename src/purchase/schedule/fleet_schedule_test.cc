#include "purchase/schedule/fleet_schedule.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }

constexpr ControlKind kWeekendOnly[] = {ControlKind::kWeekend};
constexpr ControlKind kAll[] = {ControlKind::kWeekend, ControlKind::kBusinessHours,
                                ControlKind::kIdle};

// `hours` from `begin` on, each active as `active` says of its number.
template <class Active>
FleetHours Fleet(const char* begin, std::int64_t hours, std::int64_t copies, const Active& active) {
  FleetHours fleet;
  fleet.copies = copies;
  fleet.instances.push_back({"dev", {}, {}});
  fleet.wall_ms.emplace_back();
  for (std::int64_t h = 0; h < hours; ++h) {
    const Instant at = *ParseInstant(begin) + Hours(h);
    fleet.instances.front().hour.push_back(at);
    fleet.instances.front().active.push_back(active(h) ? 1'000'000 : 0);
    fleet.wall_ms.front().push_back(at.base());
  }
  return fleet;
}

ScheduleRules Rules() {
  ScheduleRules rules;
  rules.price = Amount("1.21");
  return rules;
}

// The published table of 50 g5.2xlarge: a month of 720 hours with 22 working days is June 2026.
class PublishedFleetTest : public testing::Test {
 protected:
  FleetHours fleet_ = Fleet("2026-06-01T00:00Z", 720, 50, [](std::int64_t) { return true; });
  ScheduleRules rules_ = Rules();

  ScheduleOutcome Run(std::size_t controls) {
    return RunSchedule(fleet_, std::span(kAll).first(controls), rules_);
  }
};

TEST_F(PublishedFleetTest, AlwaysOn) {
  EXPECT_EQ(Run(0).minutes_on, 36'000 * 60);
  EXPECT_EQ(Run(0).cost, Amount("43560"));
}

// Published as 25,200 h, 720 x 0.7; the calendar has eight weekend days of thirty.
TEST_F(PublishedFleetTest, WeekendShutdownIsOfTheRealCalendar) {
  EXPECT_EQ(Run(1).minutes_on, 26'400 * 60);
  EXPECT_EQ(Run(1).cost, Amount("31944"));
}

TEST_F(PublishedFleetTest, BusinessHoursOn22Days) {
  rules_.idle_share = 400'000'000;  // no activity of its own: nothing is cut
  EXPECT_EQ(Run(2).minutes_on, 9'900 * 60);
  EXPECT_EQ(Run(2).cost, Amount("11979"));
}

TEST_F(PublishedFleetTest, IdleDetectionOnTop) {
  rules_.idle_share = 400'000'000;
  const ScheduleOutcome all = Run(3);
  EXPECT_EQ(all.minutes_on, 5'940 * 60);
  EXPECT_EQ(all.cost, Amount("7187.40"));
  EXPECT_EQ(all.saving, Amount("36372.60"));
}

// What was worked in at the weekend and at night is cut, and costs its hours again.
TEST_F(PublishedFleetTest, ActivityThatIsCutIsPaidAllTheSame) {
  const ScheduleOutcome two = Run(2);
  EXPECT_EQ(two.minutes_cut, (36'000 - 9'900) * 60);
  EXPECT_EQ(two.saving, two.cost_cut);
  EXPECT_EQ(two.saving_net, Money());
  EXPECT_EQ(two.interruptions, 23 * 50);  // each night and weekend once
}

TEST(FleetScheduleTest, SharesCompound) {
  const std::int64_t published[] = {300'000'000, 300'000'000, 150'000'000};
  EXPECT_EQ(CompoundShares(published), 583'500'000);
  EXPECT_EQ(CompoundShares({}), 0);
  const std::int64_t whole[] = {1'000'000'000, 500'000'000};
  EXPECT_EQ(CompoundShares(whole), 1'000'000'000);
}

// Idle from hour 2 on, work again in hour 6: on for the hour that it takes to be sure, off for
// three.
TEST(FleetScheduleTest, IdleStopsAfterItsDelayAndWakesUpForWork) {
  const FleetHours fleet =
      Fleet("2026-06-01T09:00Z", 8, 1, [](std::int64_t h) { return h < 2 || h >= 6; });
  ScheduleRules rules = Rules();
  rules.people_cost = Amount("90");
  const ControlKind idle[] = {ControlKind::kIdle};
  const ScheduleOutcome out = RunSchedule(fleet, idle, rules);
  EXPECT_EQ(out.minutes_on, 5 * 60);
  EXPECT_EQ(out.wake_ups, 1);
  EXPECT_EQ(out.waiting, Minutes(2));
  EXPECT_EQ(out.cost_waiting, Amount("3"));
  EXPECT_EQ(out.saving, Amount("3.63"));
  EXPECT_EQ(out.saving_net, Amount("0.63"));  // two minutes of a person are worth the rest
  EXPECT_EQ(out.minutes_cut, 0);
  rules.idle_after = 90;
  EXPECT_EQ(RunSchedule(fleet, idle, rules).minutes_on, 5 * 60 + 30);
}

TEST(FleetScheduleTest, HoursNotRunEndAnIdleStretch) {
  FleetHours fleet = Fleet("2026-06-01T09:00Z", 3, 1, [](std::int64_t) { return false; });
  const ControlKind idle[] = {ControlKind::kIdle};
  EXPECT_EQ(RunSchedule(fleet, idle, Rules()).minutes_on, 60);
  fleet.instances.front().hour[2] = fleet.instances.front().hour[2] + Hours(5);
  EXPECT_EQ(RunSchedule(fleet, idle, Rules()).minutes_on, 120);
}

TEST(FleetScheduleTest, EachControlTakesFromWhatIsLeft) {
  const FleetHours fleet = Fleet("2026-06-01T00:00Z", 168, 1, [](std::int64_t) { return false; });
  ScheduleRules rules = Rules();
  const ControlKind business[] = {ControlKind::kBusinessHours};
  EXPECT_EQ(RunSchedule(fleet, kWeekendOnly, rules).minutes_on, 120 * 60);
  EXPECT_EQ(RunSchedule(fleet, business, rules).minutes_on, 63 * 60);
  EXPECT_EQ(RunSchedule(fleet, std::span(kAll).first(2), rules).minutes_on, 45 * 60);
  EXPECT_EQ(RunSchedule(fleet, kAll, rules).minutes_on, 5 * 60);  // an hour of each day
}

}  // namespace
}  // namespace plimsoll
