// Windows as people write them, in a time zone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "config/zone.h"
#include "units/time.h"

namespace plimsoll {

// Every form that ParseWindow reads, for help texts.
inline constexpr const char* kWindowForms =
    "2026-11-16..2026-11-23 (the end is not in it), 2026-11-16T00:00Z/2026-11-23T00:00Z, "
    "2026-11-16 (a day), 2026-11 (a month), 7d or 24h (up to the last full hour), today, "
    "yesterday, week, lastweek, month, lastmonth";

// Reads kWindowForms. Days, weeks (from Monday) and months are those of `zone`, so that a day
// may have 23 or 25 hours; "7d" goes back seven days on the wall clock. Times without an
// offset are the zone's; ends are exclusive. Named windows are whole: `today` ends at midnight.
// Fails with kInvalidArgument and a form that would be read.
Result<Window> ParseWindow(std::string_view text, const Zone& zone, Instant now);

}  // namespace plimsoll
