#include "units/time.h"

#include <chrono>

namespace plimsoll {
namespace {

// Takes exactly `count` digits from the front of `text`, or returns -1.
int TakeDigits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return -1;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool TakeChar(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// Days since the epoch, or nullopt-like failure for a date that does not exist.
bool TakeDate(std::string_view& text, std::int64_t* days) {
  const int year = TakeDigits(text, 4);
  if (year < 0 || !TakeChar(text, "-")) return false;
  const int month = TakeDigits(text, 2);
  if (month < 0 || !TakeChar(text, "-")) return false;
  const int day = TakeDigits(text, 2);
  if (day < 0) return false;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  *days = std::chrono::sys_days(date).time_since_epoch().count();
  return true;
}

bool TakeTimeOfDay(std::string_view& text, std::int64_t* millis) {
  const int hour = TakeDigits(text, 2);
  if (hour < 0 || hour > 23 || !TakeChar(text, ":")) return false;
  const int minute = TakeDigits(text, 2);
  if (minute < 0 || minute > 59) return false;
  int second = 0;
  int fraction = 0;
  if (TakeChar(text, ":")) {
    second = TakeDigits(text, 2);
    if (second < 0 || second > 59) return false;
    if (TakeChar(text, ".")) {
      int digits = 0;
      for (int digit = TakeDigits(text, 1); digit >= 0; digit = TakeDigits(text, 1)) {
        if (digits++ < 3) fraction = fraction * 10 + digit;
      }
      if (digits == 0) return false;
      for (; digits < 3; ++digits) fraction *= 10;
    }
  }
  *millis = ((hour * 60 + minute) * 60 + second) * std::int64_t{1'000} + fraction;
  return true;
}

bool TakeZone(std::string_view& text, std::int64_t* offset_minutes) {
  *offset_minutes = 0;
  if (text.empty() || TakeChar(text, "Zz")) return true;
  const bool negative = text.starts_with('-');
  if (!TakeChar(text, "+-")) return false;
  const int hours = TakeDigits(text, 2);
  TakeChar(text, ":");
  const int minutes = TakeDigits(text, 2);
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) return false;
  *offset_minutes = (negative ? -1 : 1) * (hours * 60 + minutes);
  return true;
}

std::string TwoDigits(unsigned n) {
  return {static_cast<char>('0' + n / 10), static_cast<char>('0' + n % 10)};
}

}  // namespace

Result<Instant> ParseInstant(std::string_view text) {
  const Error bad{ErrorCode::kBadData, "'" + std::string(text.substr(0, 40)) +
                                           "' is not a time such as 2026-11-23T00:00:00Z"};
  std::string_view rest = text;
  std::int64_t days = 0;
  if (!TakeDate(rest, &days)) return bad;
  std::int64_t millis = 0;
  std::int64_t offset_minutes = 0;
  if (!rest.empty()) {
    if (!TakeChar(rest, "Tt ") || !TakeTimeOfDay(rest, &millis)) return bad;
    if (!TakeZone(rest, &offset_minutes) || !rest.empty()) return bad;
  }
  return AtMillis(days * Days(1).base() + millis - Minutes(offset_minutes).base());
}

std::string ToDateString(Instant t) {
  const std::int64_t days = FloorTo(t, Days(1)).base() / Days(1).base();
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  std::string year = std::to_string(static_cast<int>(date.year()));
  if (year.size() < 4) year.insert(0, 4 - year.size(), '0');
  return year + "-" + TwoDigits(static_cast<unsigned>(date.month())) + "-" +
         TwoDigits(static_cast<unsigned>(date.day()));
}

std::string ToString(Instant t) {
  const std::int64_t of_day = Between(FloorTo(t, Days(1)), t).base();
  const auto second_of_day = static_cast<unsigned>(of_day / 1'000);
  const auto millis = static_cast<unsigned>(of_day % 1'000);
  std::string text = ToDateString(t) + "T" + TwoDigits(second_of_day / 3'600) + ":" +
                     TwoDigits(second_of_day / 60 % 60) + ":" + TwoDigits(second_of_day % 60);
  if (millis != 0) {
    text += "." + std::to_string(millis / 100) + TwoDigits(millis % 100);
  }
  return text + "Z";
}

std::string ToString(const Window& window) {
  return ToString(window.begin) + "/" + ToString(window.until);
}

Window MonthOf(Instant t) {
  const std::int64_t days = FloorTo(t, Days(1)).base() / Days(1).base();
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  const std::chrono::year_month month{date.year(), date.month()};
  const auto first = [](std::chrono::year_month ym) {
    return AtMillis(std::chrono::sys_days(ym / 1).time_since_epoch().count() * Days(1).base());
  };
  return {first(month), first(month + std::chrono::months(1))};
}

}  // namespace plimsoll
