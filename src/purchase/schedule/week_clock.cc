#include "purchase/schedule/week_clock.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;

std::int64_t FloorDiv(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

bool IsWithin(std::int64_t at, std::int64_t begin, std::int64_t until) {
  return begin <= until ? begin <= at && at < until : at >= begin || at < until;
}

template <class Holds>
MinuteMask MaskOf(std::int64_t wall_ms, const Holidays& holidays, const Holds& holds) {
  MinuteMask mask = 0;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t at = wall_ms + i * kMinuteMs;
    if (holds(MinuteOfWeek(at)) && !holidays.contains(LocalDay(at))) mask |= MinuteMask{1} << i;
  }
  return mask;
}

}  // namespace

std::int64_t LocalDay(std::int64_t wall_ms) {
  return FloorDiv(wall_ms, kMinutesPerDay * kMinuteMs);
}

std::int64_t MinuteOfWeek(std::int64_t wall_ms) {
  // 1970-01-01 was a Thursday, three days after a Monday.
  const std::int64_t minutes = FloorDiv(wall_ms, kMinuteMs) + 3 * kMinutesPerDay;
  return minutes - FloorDiv(minutes, kMinutesPerWeek) * kMinutesPerWeek;
}

MinuteMask MinutesWithin(std::int64_t wall_ms, const DailyHours& hours, const Holidays& holidays) {
  return MaskOf(wall_ms, holidays, [&](std::int64_t minute) {
    return IsWithin(minute % kMinutesPerDay, hours.begin, hours.until);
  });
}

MinuteMask MinutesOutside(std::int64_t wall_ms, const WeeklyHours& off, const Holidays& holidays) {
  return MaskOf(wall_ms, holidays,
                [&](std::int64_t minute) { return !IsWithin(minute, off.begin, off.until); });
}

}  // namespace plimsoll
