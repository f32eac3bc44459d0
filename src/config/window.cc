#include "config/window.h"

#include <date/date.h>

#include <optional>
#include <vector>

#include "config/duration.h"
#include "config/suggest.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kDayMillis = Days(1).base();
const std::vector<std::string> kNames{"today",    "yesterday", "week",
                                      "lastweek", "month",     "lastmonth"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Local calendar days since 1970-01-01.
using Day = date::local_days;

Day DayOf(const Zone& zone, Instant t) {
  const Instant midnight = FloorTo(AtMillis(zone.WallOf(t).base()), Days(1));
  return Day(date::days(static_cast<int>(midnight.base() / kDayMillis)));
}

Instant StartOf(const Zone& zone, Day day) {
  return zone.FirstAt(WallTime::FromBase(day.time_since_epoch().count() * kDayMillis));
}

Window DaysOf(const Zone& zone, Day first, int count) {
  return {StartOf(zone, first), StartOf(zone, first + date::days(count))};
}

Window WeekOf(const Zone& zone, Day day) {
  const date::days since_monday = date::weekday(day) - date::Monday;
  return DaysOf(zone, day - since_monday, 7);
}

Window MonthOf(const Zone& zone, date::year_month month) {
  return {StartOf(zone, Day(month / 1)), StartOf(zone, Day((month + date::months(1)) / 1))};
}

date::year_month MonthAt(Day day) {
  const date::year_month_day date(day);
  return date.year() / date.month();
}

std::optional<Window> Named(std::string_view name, const Zone& zone, Instant now) {
  const Day today = DayOf(zone, now);
  if (name == "today") return DaysOf(zone, today, 1);
  if (name == "yesterday") return DaysOf(zone, today - date::days(1), 1);
  if (name == "week") return WeekOf(zone, today);
  if (name == "lastweek") return WeekOf(zone, today - date::days(7));
  if (name == "month") return MonthOf(zone, MonthAt(today));
  if (name == "lastmonth") return MonthOf(zone, MonthAt(today) - date::months(1));
  return std::nullopt;
}

// "2026-11": a month, as the day its first is.
std::optional<date::year_month> ParseMonth(std::string_view text) {
  if (text.size() != 7) return std::nullopt;
  const Result<Instant> first = ParseInstant(std::string(text) + "-01");
  if (!first) return std::nullopt;
  return MonthAt(Day(date::days(static_cast<int>(first->base() / kDayMillis))));
}

bool HasOffset(std::string_view time) {
  const std::size_t clock = time.find_first_of("Tt ");
  return clock != std::string_view::npos &&
         time.find_first_of("Zz+-", clock) != std::string_view::npos;
}

// One end of "A..B".
Result<Instant> ParseEnd(std::string_view text, const Zone& zone) {
  Result<Instant> read = ParseInstant(text);
  if (!read) return Error{ErrorCode::kInvalidArgument, read.error().message};
  if (HasOffset(text)) return read;
  const WallTime wall = WallTime::FromBase(read->base());
  if (text.size() == 10) return zone.FirstAt(wall);
  return zone.OnlyAt(wall);
}

Result<Window> ParseRange(std::string_view begin, std::string_view until, const Zone& zone) {
  Window window;
  PLIMSOLL_TRY(window.begin, ParseEnd(begin, zone));
  PLIMSOLL_TRY(window.until, ParseEnd(until, zone));
  if (window.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "it ends at " + ToString(window.until) +
                     ", not after its begin; the end is not "
                     "in a window, so that one day is 2026-11-16..2026-11-17"};
  }
  return window;
}

// "7d", "24h", "2w": up to the last full hour.
Result<Window> Latest(std::string_view text, const Zone& zone, Instant now) {
  PLIMSOLL_TRY(const Duration length, ParseDuration(text));
  const Instant until = FloorTo(now, Hours(1));
  if (length.base() % Hours(1).base() != 0) {
    return Error{ErrorCode::kInvalidArgument, "it must be whole hours, such as 24h or 7d"};
  }
  if (text.find('h') != std::string_view::npos || text.find('m') != std::string_view::npos) {
    return Window{until - length, until};
  }
  const WallTime begin = WallTime::FromBase(zone.WallOf(until).base() - length.base());
  return Window{zone.FirstAt(begin), until};
}

Result<Window> ParseAny(std::string_view text, const Zone& zone, Instant now) {
  if (const std::optional<Window> named = Named(text, zone, now)) return *named;
  const std::size_t dots = text.find("..");
  if (dots != std::string_view::npos) {
    return ParseRange(text.substr(0, dots), text.substr(dots + 2), zone);
  }
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    return ParseRange(text.substr(0, slash), text.substr(slash + 1), zone);
  }
  if (const std::optional<date::year_month> month = ParseMonth(text)) return MonthOf(zone, *month);
  if (const Result<Instant> day = ParseInstant(text); day && text.size() == 10) {
    return DaysOf(zone, Day(date::days(static_cast<int>(day->base() / kDayMillis))), 1);
  }
  if (!text.empty() && IsDigit(text.front()) && text.find('-') == std::string_view::npos) {
    return Latest(text, zone, now);
  }
  return Error{ErrorCode::kInvalidArgument, "it is none of the forms that are read"};
}

}  // namespace

Result<Window> ParseWindow(std::string_view text, const Zone& zone, Instant now) {
  Result<Window> window = ParseAny(text, zone, now);
  if (window) return window;
  return Error{ErrorCode::kInvalidArgument,
               "window '" + std::string(text.substr(0, 80)) + "': " + window.error().message +
                   DidYouMean(text, kNames) + "; write one of: " + kWindowForms};
}

}  // namespace plimsoll
