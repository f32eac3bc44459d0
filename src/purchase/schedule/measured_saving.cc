#include "purchase/schedule/measured_saving.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace plimsoll {
namespace {

std::size_t WeekdayOf(std::int64_t day) {
  return static_cast<std::size_t>(((day + 3) % 7 + 7) % 7);
}

}  // namespace

MeasuredSaving MeasureSince(const FleetHours& fleet, std::int64_t first, std::int64_t since,
                            std::int64_t last, Money price) {
  MeasuredSaving out;
  std::array<std::int64_t, 7> hours{}, days{}, days_after{};
  for (std::int64_t day = first; day <= last; ++day) {
    ++(day < since ? days : days_after)[WeekdayOf(day)];
    ++(day < since ? out.days_before : out.days_after);
  }
  for (std::size_t i = 0; i < fleet.instances.size(); ++i) {
    bool before = false, after = false;
    for (const std::int64_t wall_ms : fleet.wall_ms[i]) {
      const std::int64_t day = LocalDay(wall_ms);
      if (day < first || day > last) continue;
      if (day < since) {
        ++hours[WeekdayOf(day)];
        ++out.hours_before;
        before = true;
      } else {
        ++out.hours_after;
        after = true;
      }
    }
    out.instances_before += before ? 1 : 0;
    out.instances_after += after ? 1 : 0;
  }
  // Sums over a common multiple of the counts of days, so that nothing is rounded but the end.
  std::int64_t whole = 1;
  for (const std::int64_t count : days) whole = std::lcm(whole, std::max<std::int64_t>(count, 1));
  int128 expected = 0;
  for (std::size_t w = 0; w < 7; ++w) {
    if (days_after[w] == 0) continue;
    if (days[w] == 0) return out;
    expected += int128{days_after[w]} * hours[w] * (whole / days[w]);
  }
  if (out.days_after == 0) return out;
  out.minutes_expected = static_cast<std::int64_t>(DivideHalfEven(expected * 60, whole));
  out.saving = Money::FromNanos(
      DivideHalfEven((*out.minutes_expected - out.hours_after * 60) * price.nanos(), 60));
  return out;
}

}  // namespace plimsoll
