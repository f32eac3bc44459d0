#include "cli/ledger_usage.h"

#include <algorithm>
#include <map>
#include <set>

#include "cli/open_ledger.h"
#include "ledger/query.h"

namespace plimsoll {
namespace {

struct HourlyLines {
  LedgerTable table;
  Window window;
};

Result<HourlyLines> LinesOf(Context& context, const std::string& window_text, const std::string& by,
                            const std::string& filter) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  PLIMSOLL_TRY(const Window window, LedgerWindow(context, ledger, window_text));
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(window));
  HourlyLines lines;
  lines.window = window;
  PLIMSOLL_TRY(lines.table, RunQuery(ledger.store(), {window, {by, "hour"}, filter}));
  std::erase_if(lines.table.rows, [](const LedgerRow& row) { return row.gpu_time == GpuHours(); });
  if (!lines.table.rows.empty()) return lines;
  return Error{ErrorCode::kNotFound, "the ledger has no GPU time in " + ToString(window) +
                                         (filter.empty() ? "" : " under " + filter) +
                                         "; load it, or give a file"};
}

Window SpanOf(const std::set<Instant>& hours) {
  return {*hours.begin(), *hours.rbegin() + Hours(1)};
}

}  // namespace

Result<UsageReading> UsageOfLedger(Context& context, const std::string& window,
                                   const std::string& by, const std::string& filter) {
  const std::string field = by.empty() || by == "flavor" ? "gpu_model" : by;
  PLIMSOLL_TRY(const HourlyLines lines, LinesOf(context, window, field, filter));
  std::map<std::string, std::map<Instant, std::int64_t>> flavors;
  std::set<Instant> hours;
  for (const LedgerRow& row : lines.table.rows) {
    PLIMSOLL_TRY(const Instant hour, ParseInstant(row.keys[1]));
    hours.insert(hour);
    flavors[row.keys[0].empty() ? "unknown" : row.keys[0]][hour] += row.gpu_time.base();
  }
  UsageReading reading;
  reading.window = SpanOf(hours);
  const std::int64_t all = reading.window.length().base() / Hours(1).base();
  for (const auto& [flavor, used] : flavors) {
    HourlyUsage usage{flavor, {}, {}};
    for (const Instant hour : hours) {
      const auto at = used.find(hour);
      usage.hour.push_back(hour);
      usage.used.push_back(at == used.end() ? 0 : at->second);
    }
    reading.missing.push_back(all - static_cast<std::int64_t>(usage.hour.size()));
    reading.notes.rows += static_cast<std::int64_t>(usage.hour.size());
    reading.flavors.push_back(std::move(usage));
  }
  return reading;
}

Result<ActivityReading> ActivityOfLedger(Context& context, const std::string& window,
                                         const std::string& filter, std::int64_t* unknown_hours) {
  PLIMSOLL_TRY(const HourlyLines lines, LinesOf(context, window, "node", filter));
  struct Hour {
    std::int64_t time = 0, used = 0;
    bool known = true;
  };
  std::map<std::string, std::map<Instant, Hour>> nodes;
  std::set<Instant> hours;
  for (const LedgerRow& row : lines.table.rows) {
    if (row.keys[0].empty()) continue;
    PLIMSOLL_TRY(const Instant at, ParseInstant(row.keys[1]));
    hours.insert(at);
    Hour& hour = nodes[row.keys[0]][at];
    hour.time += row.gpu_time.base();
    hour.used += row.gpu_used.value_or(GpuHours()).base();
    hour.known = hour.known && row.gpu_used.has_value();
  }
  ActivityReading reading;
  if (hours.empty()) {
    return Error{ErrorCode::kNotFound, "no GPU time in the window is that of a node"};
  }
  reading.window = SpanOf(hours);
  for (const auto& [node, of_hours] : nodes) {
    InstanceActivity activity{node, {}, {}};
    for (const auto& [at, hour] : of_hours) {
      activity.hour.push_back(at);
      *unknown_hours += hour.known ? 0 : 1;
      const int128 share = DivideHalfEven(int128{hour.used} * 1'000'000, hour.time);
      activity.active.push_back(
          hour.known ? std::min<std::int64_t>(1'000'000, static_cast<std::int64_t>(share))
                     : 1'000'000);
    }
    reading.instances.push_back(std::move(activity));
  }
  return reading;
}

}  // namespace plimsoll
