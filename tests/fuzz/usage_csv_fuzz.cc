// Any bytes are a file of hourly use or of hourly activity: no crash, hours ascending and once,
// nothing negative, and the same hours in another order read the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "ingest/trace/activity_csv.h"
#include "ingest/trace/usage_csv.h"

namespace {

using namespace plimsoll;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

bool Ascends(const std::vector<Instant>& hours) {
  return std::adjacent_find(hours.begin(), hours.end(), [](Instant a, Instant b) {
           return !(a < b) || Between(a, b).base() % Hours(1).base() != 0;
         }) == hours.end();
}

void ReadUse(const std::string& text) {
  const auto reading = ReadUsageCsv("f", text);
  if (!reading) return;
  std::string turned = "flavor,usage,hour\n";
  for (std::size_t i = 0; i < reading->flavors.size(); ++i) {
    const HourlyUsage& usage = reading->flavors[i];
    Require(Ascends(usage.hour) && usage.hour.size() == usage.used.size());
    Require(!usage.hour.empty() && reading->missing[i] >= 0);
    for (std::size_t h = usage.hour.size(); h-- > 0;) {
      Require(usage.used[h] >= 0 && usage.used[h] <= 1'000'000 * kUnitHour);
      turned += "x,1," + ToString(usage.hour[h]) + "\n";
    }
  }
  const auto again = ReadUsageCsv("f", turned);
  Require(again.has_value() && again->window == reading->window);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  ReadUse(text);
  ReadUse("hour,usage\n" + text);
  if (const auto reading = ReadActivityCsv("f", text)) {
    for (const InstanceActivity& instance : reading->instances) {
      Require(Ascends(instance.hour) && !instance.instance.empty());
      for (const std::int64_t active : instance.active) Require(active >= 0 && active <= 1'000'000);
    }
  }
  return 0;
}
