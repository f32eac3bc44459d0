#include "ingest/slurm/slurm_time.h"

#include <date/tz.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>

namespace plimsoll {
namespace {

constexpr std::int64_t kSecondsMax = 253'402'300'799;  // the end of year 9999

bool ParseWhole(std::string_view text, std::int64_t* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size() && *value >= 0 &&
         *value <= kSecondsMax;
}

// "2026-01-05T08:00:00Z", "...+0100": the zone is in the text.
bool HasZone(std::string_view text) {
  const std::size_t time = text.find_first_of("T ");
  return time != std::string_view::npos &&
         text.find_first_of("Zz+-", time) != std::string_view::npos;
}

Error Bad(std::string_view text, const std::string& why) {
  return Error{ErrorCode::kBadData, "'" + std::string(text.substr(0, 40)) + "' " + why};
}

Instant At(const date::local_seconds& local, const date::sys_info& info) {
  return AtSeconds((local.time_since_epoch() - info.offset).count());
}

// Reads "HH:MM:SS", "MM:SS" or "MM:SS.mmm" into milliseconds.
bool ParseClockTime(std::string_view text, std::int64_t* millis) {
  std::int64_t total = 0;
  std::int64_t fraction = 0;
  if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
    std::string digits(text.substr(point + 1));
    digits.resize(3, '0');
    if (!ParseWhole(digits, &fraction)) return false;
    text = text.substr(0, point);
  }
  int parts = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    std::int64_t part = 0;
    if (++parts > 3 || !ParseWhole(text.substr(0, colon), &part)) return false;
    if (part > 99'999'999) return false;
    total = total * 60 + part;
    if (colon == std::string_view::npos) break;
    text = text.substr(colon + 1);
  }
  *millis = total * 1'000 + fraction;
  return parts >= 2;
}

}  // namespace

Result<SlurmClock> SlurmClock::Open(const std::string& zone) {
  SlurmClock clock;
  clock.name_ = zone.empty() ? "UTC" : zone;
  if (clock.name_ == "UTC") return clock;
  try {
    clock.zone_ = date::locate_zone(clock.name_);
  } catch (const std::exception& failure) {
    return Error{ErrorCode::kInvalidArgument,
                 "time zone '" + zone + "' is not known; use an IANA name such as Europe/Berlin (" +
                     failure.what() + ")"};
  }
  return clock;
}

Result<std::vector<Instant>> SlurmClock::Read(std::string_view text) const {
  if (text.empty() || text == "Unknown" || text == "None" || text == "N/A") {
    return std::vector<Instant>{};
  }
  if (std::int64_t seconds = 0; ParseWhole(text, &seconds)) {
    return seconds == 0 ? std::vector<Instant>{} : std::vector<Instant>{AtSeconds(seconds)};
  }
  const Result<Instant> parsed = ParseInstant(text);
  if (!parsed) return Bad(text, "is not a time such as 2026-01-05T08:00:00 or epoch seconds");
  if (zone_ == nullptr || HasZone(text)) return std::vector<Instant>{*parsed};
  const date::local_seconds local{
      std::chrono::seconds(FloorTo(*parsed, Seconds(1)).base() / 1'000)};
  try {
    const date::local_info info = zone_->get_info(local);
    if (info.result == date::local_info::nonexistent) {
      return Bad(text, "does not exist in " + name_ +
                           ": the clock skips it; export with TZ=UTC or check the time zone");
    }
    std::vector<Instant> instants = {At(local, info.first)};
    if (info.result == date::local_info::ambiguous) instants.push_back(At(local, info.second));
    return instants;
  } catch (const std::exception& failure) {
    return Bad(text, std::string("cannot be converted from ") + name_ + ": " + failure.what());
  }
}

Result<std::optional<Duration>> ParseElapsed(std::string_view text) {
  if (text.empty() || text == "INVALID" || text == "Unknown") return std::optional<Duration>();
  std::int64_t seconds = 0;
  if (ParseWhole(text, &seconds)) return std::optional(Seconds(seconds));
  std::int64_t days = 0;
  std::string_view rest = text;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    if (!ParseWhole(text.substr(0, dash), &days) || days > 100'000) {
      return Bad(text, "is not an elapsed time such as 1-02:03:04");
    }
    rest = text.substr(dash + 1);
  }
  std::int64_t millis = 0;
  if (!ParseClockTime(rest, &millis)) return Bad(text, "is not an elapsed time such as 1-02:03:04");
  return std::optional(Millis(Days(days).base() + millis));
}

Result<HeldTime> ResolveHeld(const std::vector<Instant>& start, const std::vector<Instant>& end,
                             std::optional<Duration> elapsed) {
  const Error ambiguous{ErrorCode::kBadData,
                        "falls into the hour that a clock change repeats and Elapsed does not "
                        "decide; export with TZ=UTC or SLURM_TIME_FORMAT=%s"};
  if (start.empty()) return Error{ErrorCode::kBadData, "has no start"};
  std::vector<Instant> begins;
  for (const Instant begin : start) {
    for (const Instant until : end) {
      const bool fits = elapsed && Between(begin, until) == *elapsed;
      if (fits && (begins.empty() || begins.back() != begin)) begins.push_back(begin);
    }
  }
  if (begins.empty()) begins = start;
  if (begins.size() > 1) return ambiguous;
  const Instant begin = begins.front();
  if (end.empty()) return HeldTime{begin, std::nullopt, false};
  if (elapsed) {
    const Instant until = begin + *elapsed;
    const bool agrees = std::find(end.begin(), end.end(), until) != end.end();
    return HeldTime{begin, until, !agrees};
  }
  if (end.size() > 1) return ambiguous;
  if (end.front() < begin) return Error{ErrorCode::kBadData, "ends before it starts"};
  return HeldTime{begin, end.front(), false};
}

}  // namespace plimsoll
