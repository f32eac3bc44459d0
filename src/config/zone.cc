#include "config/zone.h"

#include <date/tz.h>

#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "config/suggest.h"

namespace plimsoll {
namespace {

using Millis64 = std::chrono::duration<std::int64_t, std::milli>;

const date::time_zone& RulesOf(const void* rules) {
  return *static_cast<const date::time_zone*>(rules);
}

date::local_time<Millis64> LocalOf(WallTime wall) {
  return date::local_time<Millis64>(Millis64(wall.base()));
}

Instant AtOffset(WallTime wall, std::chrono::seconds offset) {
  return AtMillis(wall.base() - Seconds(offset.count()).base());
}

// "+01:00"
std::string OffsetText(std::chrono::seconds offset) {
  const std::int64_t minutes = offset.count() / 60;
  const std::int64_t size = minutes < 0 ? -minutes : minutes;
  const auto two = [](std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  return (minutes < 0 ? "-" : "+") + two(size / 60) + ":" + two(size % 60);
}

// "2026-10-25T02:30"
std::string WallText(WallTime wall) {
  const std::string utc = ToString(AtMillis(wall.base()));
  return utc.substr(0, utc.size() - (utc.ends_with(":00Z") ? 4 : 1));
}

std::chrono::seconds OffsetAt(const date::time_zone& rules, const char* time) {
  const std::int64_t seconds = ParseInstant(time)->base() / Seconds(1).base();
  return rules.get_info(date::sys_seconds(std::chrono::seconds(seconds))).offset;
}

// The library reads the listed changes of a zone only, not the rule that follows them. Full
// files list them up to 2037; slim ones stop where the rule begins, often decades ago.
bool IsCutShort(const date::time_zone& rules, const std::string& name) {
  std::ifstream file("/usr/share/zoneinfo/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return HasFooterRule(text.str()) &&
         OffsetAt(rules, "2036-01-15") == OffsetAt(rules, "2036-07-15");
}

Error UnknownZone(const std::string& name) {
  std::vector<std::string> known;
  try {
    for (const date::time_zone& zone : date::get_tzdb().zones) known.push_back(zone.name());
  } catch (const std::exception&) {
    return {ErrorCode::kInvalidArgument,
            "time zone '" + name +
                "' needs the system's time zone data, which is not installed; "
                "install the package tzdata or use UTC"};
  }
  return {ErrorCode::kInvalidArgument, "'" + name + "' is not an IANA time zone such as " +
                                           "Europe/Berlin or UTC" + DidYouMean(name, known)};
}

}  // namespace

Result<Zone> Zone::Find(const std::string& name) {
  if (name == "UTC") return Zone(name, nullptr);
  try {
    const date::time_zone* rules = date::locate_zone(name);
    rules->get_info(date::sys_seconds(std::chrono::seconds(0)));  // reads the file now
    if (!IsCutShort(*rules, name)) return Zone(name, rules);
    return Error{ErrorCode::kInvalidArgument,
                 "the system has time zone '" + name +
                     "' in the slim form, which lacks its changes of the clock; install the full "
                     "form (package tzdata, or zic -b fat) or use UTC"};
  } catch (const std::exception&) {
    return UnknownZone(name);
  }
}

WallTime Zone::WallOf(Instant t) const {
  if (rules_ == nullptr) return WallTime::FromBase(t.base());
  const Instant second = FloorTo(t, Seconds(1));
  const auto info =
      RulesOf(rules_).get_info(date::sys_seconds(std::chrono::seconds(second.base() / 1'000)));
  return WallTime::FromBase(t.base() + Seconds(info.offset.count()).base());
}

Instant Zone::FirstAt(WallTime wall) const {
  if (rules_ == nullptr) return AtMillis(wall.base());
  const date::local_info info = RulesOf(rules_).get_info(LocalOf(wall));
  if (info.result == date::local_info::nonexistent) {
    return AtSeconds(info.first.end.time_since_epoch().count());
  }
  return AtOffset(wall, info.first.offset);
}

Result<Instant> Zone::OnlyAt(WallTime wall) const {
  if (rules_ == nullptr) return AtMillis(wall.base());
  const date::local_info info = RulesOf(rules_).get_info(LocalOf(wall));
  if (info.result == date::local_info::unique) return AtOffset(wall, info.first.offset);
  const bool twice = info.result == date::local_info::ambiguous;
  return Error{ErrorCode::kInvalidArgument,
               WallText(wall) + (twice ? " comes twice" : " does not exist") + " in " + name_ +
                   " (the clocks change); write it with an offset: " + WallText(wall) +
                   OffsetText(info.first.offset) + " or " + WallText(wall) +
                   OffsetText(info.second.offset)};
}

bool HasFooterRule(std::string_view zone_file) {
  if (!zone_file.ends_with('\n')) return false;
  zone_file.remove_suffix(1);
  return zone_file.substr(zone_file.rfind('\n') + 1).find(',') != std::string_view::npos;
}

}  // namespace plimsoll
