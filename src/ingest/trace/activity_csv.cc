#include "ingest/trace/activity_csv.h"

#include <algorithm>
#include <map>

#include "units/decimal.h"

namespace plimsoll {
namespace {

struct Measured {
  Instant hour;
  std::int64_t active = 0;
  std::int64_t line = 0;
};

// Millionths; -1 if it is no share.
std::int64_t ParseShare(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const Result<ExactDecimal> share = ExactDecimal::Parse(text);
  const Money most = Money::Units(percent ? 100 : 1);
  if (!share || share->floor() < Money() || *share > ExactDecimal::FromMoney(most)) return -1;
  return static_cast<std::int64_t>(
      DivideHalfEven(share->RoundHalfEven().nanos() * 1'000'000, most.nanos()));
}

InstanceActivity Settle(const std::string& instance, std::vector<Measured>& rows,
                        ActivityReading& reading, LineErrors& errors) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Measured& a, const Measured& b) { return a.hour < b.hour; });
  InstanceActivity activity{instance, {}, {}};
  const Measured* before = nullptr;
  for (const Measured& row : rows) {
    if (before == nullptr || before->hour != row.hour) {
      activity.hour.push_back(row.hour);
      activity.active.push_back(row.active);
      before = &row;
    } else if (before->active == row.active) {
      ++reading.duplicates;
    } else {
      errors.Add(row.line, ToString(row.hour) + " of " + instance +
                               " has another activity here than in line " +
                               std::to_string(before->line) +
                               "; keep one, and write local times with their offset");
    }
  }
  return activity;
}

}  // namespace

Result<ActivityReading> ReadActivityCsv(const std::string& file, std::string_view text) {
  ActivityReading reading;
  LineErrors errors(file);
  std::map<std::string, std::vector<Measured>, std::less<>> instances;
  const auto take = [&](const HourRow& row) -> std::string {
    const std::int64_t active = ParseShare(row.value);
    if (active < 0) {
      return "activity '" + std::string(row.value.substr(0, 40)) +
             "' is not a share of the hour from 0 to 1; leave out hours in which the instance "
             "did not run";
    }
    auto at = instances.find(row.name);
    if (at == instances.end()) at = instances.emplace(row.name, std::vector<Measured>()).first;
    at->second.push_back({row.hour, active, row.line});
    return "";
  };
  PLIMSOLL_TRY(reading.notes,
               ReadHourRows(file, text, {"instance", "activity", true}, errors, take));
  for (auto& [instance, rows] : instances) {
    reading.instances.push_back(Settle(instance, rows, reading, errors));
  }
  if (!errors.empty()) return errors.ToError();
  if (reading.instances.empty()) return Error{ErrorCode::kBadData, file + ": has no rows"};
  const InstanceActivity& first = reading.instances.front();
  reading.window = {first.hour.front(), first.hour.back()};
  for (const InstanceActivity& activity : reading.instances) {
    reading.window.begin = std::min(reading.window.begin, activity.hour.front());
    reading.window.until = std::max(reading.window.until, activity.hour.back());
  }
  reading.window.until = reading.window.until + Hours(1);
  return reading;
}

}  // namespace plimsoll
