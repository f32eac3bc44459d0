// Instant and Window: points and half-open spans of UTC time in whole milliseconds.
//
// Everything stored or computed is UTC; IANA time zones exist only at the edges (windows on
// the command line, report axes), in config/ and report/.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "units/quantity.h"

namespace plimsoll {

using Instant = Quantity<struct InstantTag>;    // milliseconds since 1970-01-01T00:00:00Z
using Duration = Quantity<struct DurationTag>;  // milliseconds

constexpr Instant AtMillis(std::int64_t ms) { return Instant::FromBase(ms); }
constexpr Instant AtSeconds(std::int64_t s) { return Instant::FromBase(s * 1'000); }
constexpr Duration Millis(std::int64_t n) { return Duration::FromBase(n); }
constexpr Duration Seconds(std::int64_t n) { return Duration::FromBase(n * 1'000); }
constexpr Duration Minutes(std::int64_t n) { return Duration::FromBase(n * 60'000); }
constexpr Duration Hours(std::int64_t n) { return Duration::FromBase(n * 3'600'000); }
constexpr Duration Days(std::int64_t n) { return Hours(24 * n); }

constexpr Instant operator+(Instant t, Duration d) { return AtMillis(t.base() + d.base()); }
constexpr Instant operator-(Instant t, Duration d) { return AtMillis(t.base() - d.base()); }
constexpr Duration Between(Instant begin, Instant until) {
  return Millis(until.base() - begin.base());
}

// The last multiple of `step` since the epoch that is not after `t` (also before 1970).
// REQUIRES: step > 0
constexpr Instant FloorTo(Instant t, Duration step) {
  const std::int64_t rest = t.base() % step.base();
  return AtMillis(t.base() - rest - (rest < 0 ? step.base() : 0));
}
constexpr Instant CeilTo(Instant t, Duration step) {
  const Instant floor = FloorTo(t, step);
  return floor == t ? t : floor + step;
}

// [begin, until): begin is in it, until is not.
struct Window {
  Instant begin;
  Instant until;

  friend constexpr auto operator<=>(const Window&, const Window&) = default;
  constexpr Duration length() const { return Between(begin, until); }
  constexpr bool empty() const { return until <= begin; }
  constexpr bool contains(Instant t) const { return begin <= t && t < until; }
};

constexpr Window Intersect(Window a, Window b) {
  return {std::max(a.begin, b.begin), std::min(a.until, b.until)};
}

// Reads "2026-11-23T00:00:00Z", with a fraction (cut to ms), "+01:00", a space for the T, or
// no zone (then UTC), and a bare date (midnight). Fails with kBadData: hour 30, 31 June...
Result<Instant> ParseInstant(std::string_view text);

// "2026-11-23T00:00:00Z"; milliseconds are printed only if there are any.
std::string ToString(Instant t);
std::string ToDateString(Instant t);         // "2026-11-23"
std::string ToString(const Window& window);  // "2026-11-16T00:00:00Z/2026-11-23T00:00:00Z"

// The UTC calendar month that holds `t`.
Window MonthOf(Instant t);

}  // namespace plimsoll
