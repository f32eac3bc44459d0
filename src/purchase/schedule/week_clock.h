// WeekClock: which minutes of an hour a rule of the wall clock leaves on.
//
// Hours come with what the wall shows at their begin, so zones and changes of the clock are the
// caller's; an hour of a zone that is off by half an hour may lie in two days.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "base/result.h"

namespace plimsoll {

// Minutes of one hour, the first in bit 0.
using MinuteMask = std::uint64_t;
inline constexpr MinuteMask kWholeHour = (MinuteMask{1} << 60) - 1;

inline constexpr std::int64_t kMinutesPerDay = 1'440;
inline constexpr std::int64_t kMinutesPerWeek = 7 * kMinutesPerDay;

// A stretch of each day, [begin, until) in minutes; until may be before begin: over midnight.
struct DailyHours {
  std::int64_t begin = 9 * 60;
  std::int64_t until = 18 * 60;
};

// A stretch of each week in minutes from Monday 00:00; may wrap around.
struct WeeklyHours {
  std::int64_t begin = 5 * kMinutesPerDay;  // Saturday
  std::int64_t until = kMinutesPerWeek;     // to the end of Sunday
};

// Local days, counted from 1970-01-01, on which nobody works.
using Holidays = std::set<std::int64_t>;

// Milliseconds of the wall clock as its day, and as minutes from the week's Monday.
std::int64_t LocalDay(std::int64_t wall_ms);
std::int64_t MinuteOfWeek(std::int64_t wall_ms);

// The minutes of the hour from `wall_ms` on that lie in `hours`, none of a holiday.
MinuteMask MinutesWithin(std::int64_t wall_ms, const DailyHours& hours, const Holidays& holidays);

// The minutes that lie outside `off`, none of a holiday.
MinuteMask MinutesOutside(std::int64_t wall_ms, const WeeklyHours& off, const Holidays& holidays);

}  // namespace plimsoll
