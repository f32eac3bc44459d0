#include "ledger/steps.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace plimsoll {
namespace {

// As many rows as a reader could ever want; a typing error would otherwise make millions.
constexpr std::size_t kStepsMax = 100'000;

Error Bad(std::string_view step, const std::string& what) {
  return {ErrorCode::kInvalidArgument, "step '" + std::string(step.substr(0, 40)) + "': " + what +
                                           "; write one of: " + kStepForms};
}

// Local days since 1970-01-01, a Thursday.
std::int64_t DayOf(const Zone& zone, Instant t) {
  return FloorTo(AtMillis(zone.WallOf(t).base()), Days(1)).base() / Days(1).base();
}
std::int64_t MondayOf(std::int64_t day) { return day - ((day + 3) % 7 + 7) % 7; }

Instant StartOf(const Zone& zone, std::int64_t day) {
  return FloorTo(zone.FirstAt(WallTime::FromBase(day * Days(1).base())), Hours(1));
}

}  // namespace

Result<std::vector<Window>> CutIntoSteps(Window window, std::string_view step, const Zone& zone) {
  PLIMSOLL_CHECK(!window.empty());
  if (step == "window") return std::vector{window};
  std::int64_t count = 0;
  const char* const end = step.data() + step.size();
  const auto [unit, error] = std::from_chars(step.data(), end, count);
  if (error != std::errc() || end - unit != 1 || count < 1 || count > 100'000) {
    return Bad(step, "it is no number of hours, days or weeks");
  }
  // In a zone of half hours a day begins at the hour before its midnight.
  std::int64_t day = DayOf(zone, window.begin);
  if (StartOf(zone, day + 1) <= window.begin) ++day;
  const std::int64_t first = *unit == 'w' ? MondayOf(day) : day;
  const auto border = [&](std::int64_t i) {  // the end of step i
    if (*unit == 'h') return window.begin + Hours(count * (i + 1));
    return StartOf(zone, first + (i + 1) * count * (*unit == 'w' ? 7 : 1));
  };
  if (*unit != 'h' && *unit != 'd' && *unit != 'w') {
    return Bad(step, "its unit is none of h, d, w");
  }
  std::vector<Window> steps;
  Instant begin = window.begin;
  for (std::int64_t i = 0; begin < window.until; ++i) {
    const Instant until = std::min(border(i), window.until);
    if (until <= begin) continue;
    if (steps.size() == kStepsMax) return Bad(step, "more than 100,000 of it fit the window");
    steps.push_back({begin, until});
    begin = until;
  }
  return steps;
}

}  // namespace plimsoll
