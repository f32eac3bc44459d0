// FleetSchedule: what turning a fleet off by the clock and when idle would have saved in the hours
// that it really ran, and what that would have cost the people who use it.
//
// Controls are applied one after another; each takes its minutes from those that the ones before
// left on, so shares compound and are never added. Activity is a fact: where a control turns off
// an hour that was worked in, the net saving assumes that the work is done all the same - the
// hour is paid and somebody waits for the instance to wake up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/activity.h"
#include "purchase/schedule/week_clock.h"
#include "units/money.h"

namespace plimsoll {

enum class ControlKind : unsigned char { kBusinessHours, kWeekend, kIdle };
inline constexpr const char* kControlNames[] = {"business-hours", "weekend", "idle"};

struct ScheduleRules {
  DailyHours business;
  WeeklyHours weekend;
  Holidays holidays;
  std::int64_t idle_below = 50'000;        // millionths of an hour; at or above, it was worked in
  std::int64_t idle_after = 60;            // minutes without activity until it is turned off
  std::optional<std::int64_t> idle_share;  // in place of activity: this part of what is on, 1e-9
  Duration wake_up = Minutes(2);           // from the wish to work until it can be worked
  std::optional<Money> people_cost;        // of one waiting for an hour
  Money price;                             // of an instance-hour
};

// Instances' hours with what the wall shows at the begin of each.
struct FleetHours {
  std::vector<InstanceActivity> instances;
  std::vector<std::vector<std::int64_t>> wall_ms;  // as instances and their hours
  std::int64_t copies = 1;                         // every instance stands for so many
};

// The fleet under some controls. Times are instance-minutes; of all copies.
struct ScheduleOutcome {
  std::int64_t minutes_on = 0;
  std::int64_t minutes_cut = 0;    // turned off in hours that were worked in
  std::int64_t interruptions = 0;  // stretches of such hours: each is a wake-up by hand
  std::int64_t wake_ups = 0;       // by activity after an idle stop
  Duration waiting;                // (interruptions + wake_ups) x wake_up
  Money cost;                      // minutes_on x price
  Money saving;                    // against all hours that it ran
  Money cost_cut;                  // minutes_cut x price: worked all the same
  Money cost_waiting;              // 0 without a people_cost
  Money saving_net;                // saving - cost_cut - cost_waiting
};

// With the first n controls, in their order; none is the fleet as it ran.
ScheduleOutcome RunSchedule(const FleetHours& fleet, std::span<const ControlKind> controls,
                            const ScheduleRules& rules);

// What independent controls save together, shares in billionths: 1 - (1 - a)(1 - b)...
//   30 %, 30 % and 15 % compound to 58.35 %, and not to 75 or 80
std::int64_t CompoundShares(std::span<const std::int64_t> shares);

}  // namespace plimsoll
