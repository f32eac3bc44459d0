// Schedules by masks of minutes agree with a walk over the minutes of each instance.
#include <gtest/gtest.h>

#include <random>

#include "purchase/schedule/fleet_schedule.h"

namespace plimsoll {
namespace {

std::int64_t Roll(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

// Every minute of an instance's life as one element, in order.
struct Minute {
  std::int64_t at = 0;  // minutes since 1970
  std::int64_t wall_ms = 0;
  bool active = false;  // of an hour that was worked in
  bool hour_begins = false;
  bool on = true;
};

std::vector<Minute> MinutesOf(const InstanceActivity& instance,
                              const std::vector<std::int64_t>& wall_ms,
                              const ScheduleRules& rules) {
  std::vector<Minute> minutes;
  for (std::size_t i = 0; i < instance.hour.size(); ++i) {
    for (std::int64_t m = 0; m < 60; ++m) {
      minutes.push_back({instance.hour[i].base() / 60'000 + m, wall_ms[i] + m * 60'000,
                         instance.active[i] >= rules.idle_below, m == 0, true});
    }
  }
  return minutes;
}

bool Allowed(ControlKind control, const Minute& minute, const ScheduleRules& rules) {
  const std::int64_t of_day = minute.wall_ms / 60'000 % 1'440;
  const std::int64_t day = minute.wall_ms / 86'400'000;
  if (rules.holidays.contains(day)) return false;
  if (control == ControlKind::kBusinessHours) {
    return of_day >= rules.business.begin && of_day < rules.business.until;
  }
  const std::int64_t weekday = (day + 3) % 7;  // Monday is 0
  return weekday < 5;
}

// Returns how often activity found the instance stopped.
std::int64_t StopIdle(std::vector<Minute>& minutes, std::int64_t after) {
  std::int64_t wake_ups = 0, quiet = 0, in_hour = 0;
  bool stopped = false, counted = false;
  const Minute* before = nullptr;
  for (Minute& minute : minutes) {
    if (before != nullptr && minute.at != before->at + 1) {
      quiet = 0;
      stopped = false;
    }
    before = &minute;
    in_hour = minute.hour_begins ? 0 : in_hour + 1;
    if (minute.hour_begins) counted = false;
    if (minute.active) {
      if (stopped && minute.on && !counted) {
        ++wake_ups;
        counted = true;
      }
      // The stop is over with the hour, whether or not the schedule lets it run.
      if (in_hour == 59) stopped = false;
      quiet = 0;
    } else if (!minute.on) {
      quiet = 0;
      stopped = false;
    } else {
      if (quiet >= after) stopped = true;
      ++quiet;
      if (stopped) minute.on = false;
    }
  }
  return wake_ups;
}

TEST(SchedulePropertyTest, MasksAgreeWithAWalkOverMinutes) {
  std::int64_t cut = 0, woken = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    ScheduleRules rules;
    rules.price = Money::Units(1);
    rules.business = {Roll(random, 0, 700), Roll(random, 701, 1'440)};
    rules.idle_after = Roll(random, 1, 150);
    rules.holidays = {20'605 + Roll(random, 0, 9)};
    FleetHours fleet;
    const std::int64_t offset = Roll(random, -24, 26) * 1'800'000;  // zones of half hours too
    for (std::int64_t n = Roll(random, 1, 3); n > 0; --n) {
      InstanceActivity& instance = fleet.instances.emplace_back();
      std::vector<std::int64_t>& wall = fleet.wall_ms.emplace_back();
      bool active = false;
      for (std::int64_t h = 0; h < 24 * 10; ++h) {
        if (Roll(random, 0, 5) == 0) active = !active;
        if (Roll(random, 0, 20) == 0) continue;  // did not run
        const Instant at = AtMillis(20'605 * 86'400'000LL + h * 3'600'000);
        instance.hour.push_back(at);
        instance.active.push_back(active ? 500'000 : 0);
        wall.push_back(at.base() + offset);
      }
    }
    std::vector<ControlKind> controls = {ControlKind::kBusinessHours, ControlKind::kWeekend,
                                         ControlKind::kIdle};
    std::shuffle(controls.begin(), controls.end(), random);
    controls.resize(static_cast<std::size_t>(Roll(random, 1, 3)));
    std::int64_t on = 0, cut_here = 0, wake_ups = 0;
    for (std::size_t i = 0; i < fleet.instances.size(); ++i) {
      std::vector<Minute> minutes = MinutesOf(fleet.instances[i], fleet.wall_ms[i], rules);
      for (const ControlKind control : controls) {
        if (control == ControlKind::kIdle) {
          wake_ups += StopIdle(minutes, rules.idle_after);
          continue;
        }
        for (Minute& minute : minutes) minute.on = minute.on && Allowed(control, minute, rules);
      }
      for (const Minute& minute : minutes) {
        on += minute.on ? 1 : 0;
        cut_here += minute.active && !minute.on ? 1 : 0;
      }
    }
    const ScheduleOutcome outcome = RunSchedule(fleet, controls, rules);
    ASSERT_EQ(outcome.minutes_on, on);
    ASSERT_EQ(outcome.minutes_cut, cut_here);
    ASSERT_EQ(outcome.wake_ups, wake_ups);
    ASSERT_EQ(outcome.cost + outcome.saving, RunSchedule(fleet, {}, rules).cost);
    cut += cut_here;
    woken += wake_ups;
  }
  EXPECT_GT(cut, 0);
  EXPECT_GT(woken, 0);
}

}  // namespace
}  // namespace plimsoll
