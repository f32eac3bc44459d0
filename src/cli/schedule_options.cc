#include "cli/schedule_options.h"

#include <algorithm>
#include <array>

#include "config/suggest.h"
#include "units/time.h"

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> Items(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (const std::string_view item = Trim(text.substr(0, end)); !item.empty()) {
      items.push_back(item);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return items;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// "09:00" to 24:00, in minutes; -1 if it is none.
std::int64_t MinuteOf(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return -1;
  for (const std::size_t i : {0U, 1U, 3U, 4U}) {
    if (!IsDigit(text[i])) return -1;
  }
  const std::int64_t hour = (text[0] - '0') * 10 + (text[1] - '0');
  const std::int64_t minute = (text[3] - '0') * 10 + (text[4] - '0');
  return minute > 59 || hour * 60 + minute > kMinutesPerDay ? -1 : hour * 60 + minute;
}

std::int64_t DayOf(std::string_view text) {
  const auto at = std::find(kDays.begin(), kDays.end(), text);
  return at == kDays.end() ? -1 : at - kDays.begin();
}

}  // namespace

Result<DailyHours> ParseDailyHours(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  DailyHours hours;
  hours.begin = MinuteOf(Trim(text.substr(0, dash)));
  hours.until = MinuteOf(Trim(text.substr(std::min(dash + 1, text.size()))));
  if (hours.begin < 0 || hours.until < 0 || hours.begin == hours.until) {
    return Wrong("--business-hours: '" + std::string(text) +
                 "' must be hours of a day, as in 09:00-18:00");
  }
  return hours;
}

Result<WeeklyHours> ParseWeeklyHours(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const std::string_view parts[] = {Trim(text.substr(0, dash)),
                                    Trim(text.substr(std::min(dash + 1, text.size())))};
  std::int64_t minutes[] = {-1, -1};
  for (int i = 0; i < 2; ++i) {
    const std::int64_t day = DayOf(parts[i].substr(0, 3));
    const std::string_view clock = Trim(parts[i].substr(std::min<std::size_t>(3, parts[i].size())));
    // A day without a time is whole: it ends with its last minute.
    const std::int64_t minute = clock.empty() ? i * kMinutesPerDay : MinuteOf(clock);
    if (day < 0 || minute < 0) continue;
    minutes[i] = day * kMinutesPerDay + minute;
  }
  const WeeklyHours off{minutes[0], minutes[1]};
  if (off.begin >= 0 && off.until >= 0 && off.begin != off.until) return off;
  return Wrong("--weekend: '" + std::string(text) +
               "' must be sat-sun, or as in 'fri 18:00 - mon 09:00'");
}

Result<std::vector<ControlKind>> ParseControls(std::string_view text) {
  std::vector<ControlKind> controls;
  const std::vector<std::string> known(std::begin(kControlNames), std::end(kControlNames));
  for (const std::string_view item : Items(text)) {
    const auto at = std::find(known.begin(), known.end(), item);
    if (at == known.end()) {
      return Wrong("--controls: '" + std::string(item) +
                   "' is not weekend, business-hours or idle" + DidYouMean(item, known));
    }
    const auto control = static_cast<ControlKind>(at - known.begin());
    if (std::find(controls.begin(), controls.end(), control) != controls.end()) {
      return Wrong("--controls: " + std::string(item) + " is twice");
    }
    controls.push_back(control);
  }
  if (controls.empty()) return Wrong("--controls: name weekend, business-hours or idle");
  return controls;
}

Result<Holidays> ParseHolidays(std::string_view text) {
  Holidays holidays;
  for (const std::string_view item : Items(text)) {
    const Result<Instant> day = ParseInstant(item);
    if (!day || item.size() != 10) {
      return Wrong("--holidays: '" + std::string(item) + "' is not a date such as 2026-12-25");
    }
    holidays.insert(LocalDay(day->base()));
  }
  return holidays;
}

}  // namespace plimsoll
