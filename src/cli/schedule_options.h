// Schedules as people write them: hours of days and weeks, controls in order, holidays.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "purchase/schedule/fleet_schedule.h"

namespace plimsoll {

// "09:00-18:00". Fails with kInvalidArgument, as all of these do.
Result<DailyHours> ParseDailyHours(std::string_view text);

// "fri 18:00 - mon 09:00", or "sat-sun" for whole days, the last one too.
Result<WeeklyHours> ParseWeeklyHours(std::string_view text);

// "weekend,business-hours,idle" in that order, each once.
Result<std::vector<ControlKind>> ParseControls(std::string_view text);

// Dates, "2026-12-25,2026-12-26".
Result<Holidays> ParseHolidays(std::string_view text);

}  // namespace plimsoll
