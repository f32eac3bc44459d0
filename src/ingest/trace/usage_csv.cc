#include "ingest/trace/usage_csv.h"

#include <algorithm>
#include <map>

#include "units/decimal.h"

namespace plimsoll {
namespace {

struct Measured {
  Instant hour;
  std::int64_t used = 0;
  std::int64_t line = 0;
};

std::string UnitsText(std::int64_t used) {
  const Money units =
      Money::FromNanos(DivideHalfEven(int128{used} * Money::kNanosPerUnit, kUnitHour));
  return ExactDecimal::FromMoney(units).ToString();
}

// Sorted hours, each once. Two values for one hour are an error.
HourlyUsage Settle(const std::string& flavor, std::vector<Measured>& rows, UsageReading& reading,
                   LineErrors& errors) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Measured& a, const Measured& b) { return a.hour < b.hour; });
  HourlyUsage usage{flavor, {}, {}};
  const Measured* before = nullptr;
  for (const Measured& row : rows) {
    if (before == nullptr || before->hour != row.hour) {
      usage.hour.push_back(row.hour);
      usage.used.push_back(row.used);
      before = &row;
    } else if (before->used == row.used) {
      ++reading.duplicates;
    } else {
      errors.Add(row.line, ToString(row.hour) + (flavor.empty() ? "" : " of " + flavor) + " is " +
                               UnitsText(row.used) + " here and " + UnitsText(before->used) +
                               " in line " + std::to_string(before->line) +
                               "; keep one, and write local times with their offset");
    }
  }
  return usage;
}

}  // namespace

Result<std::int64_t> ParseUnits(std::string_view text, bool* rounded) {
  const Result<ExactDecimal> units = ExactDecimal::Parse(text);
  if (!units || units->floor() < Money() ||
      *units > ExactDecimal::FromMoney(Money::Units(1'000'000))) {
    return Error{ErrorCode::kBadData,
                 "'" + std::string(text.substr(0, 40)) +
                     "' is not a number of units from 0 to 1,000,000; leave out hours that are "
                     "not known"};
  }
  constexpr int128 kNanosPerMilli = 1'000'000'000;
  const int128 scaled = units->floor().nanos() * kUnitHour;
  *rounded = !units->is_nano_exact() || scaled % kNanosPerMilli != 0;
  return static_cast<std::int64_t>(DivideHalfEven(scaled, kNanosPerMilli));
}

Result<UsageReading> ReadUsageCsv(const std::string& file, std::string_view text) {
  UsageReading reading;
  LineErrors errors(file);
  std::map<std::string, std::vector<Measured>, std::less<>> flavors;
  const auto take = [&](const HourRow& row) -> std::string {
    bool rounded = false;
    const Result<std::int64_t> used = ParseUnits(row.value, &rounded);
    if (!used) return used.error().message;
    reading.rounded += rounded ? 1 : 0;
    auto at = flavors.find(row.name);
    if (at == flavors.end()) at = flavors.emplace(row.name, std::vector<Measured>()).first;
    at->second.push_back({row.hour, *used, row.line});
    return "";
  };
  PLIMSOLL_TRY(reading.notes, ReadHourRows(file, text, {"flavor", "usage", false}, errors, take));
  for (auto& [flavor, rows] : flavors) {
    reading.flavors.push_back(Settle(flavor, rows, reading, errors));
  }
  if (!errors.empty()) return errors.ToError();
  if (reading.flavors.empty()) return Error{ErrorCode::kBadData, file + ": has no rows"};
  reading.window = {reading.flavors.front().hour.front(), reading.flavors.front().hour.back()};
  for (const HourlyUsage& usage : reading.flavors) {
    reading.window.begin = std::min(reading.window.begin, usage.hour.front());
    reading.window.until = std::max(reading.window.until, usage.hour.back());
  }
  reading.window.until = reading.window.until + Hours(1);
  const std::int64_t hours = reading.window.length().base() / Hours(1).base();
  for (const HourlyUsage& usage : reading.flavors) {
    reading.missing.push_back(hours - static_cast<std::int64_t>(usage.hour.size()));
  }
  return reading;
}

}  // namespace plimsoll
