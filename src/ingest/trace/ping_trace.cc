// Traces that say at every tick whether spot capacity was there: SkyPilot's JSON, the raw pings
// that it was made of, and our own CSV.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "ingest/trace/trace_formats.h"
#include "ingest/trace/trace_text.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

AvailabilityTrace StartTrace(const TraceSource& source) {
  AvailabilityTrace trace;
  trace.name = TraceNameOf(source.file);
  trace.pool = PoolOfName(trace.name);
  return trace;
}

Error WrongJson(const TraceSource& source, const std::string& what) {
  return {ErrorCode::kBadData, source.file + ": " + what +
                                   "; a trace is {\"metadata\": {\"gap_seconds\": 600}, \"data\": "
                                   "[0, 1, ...], \"prices\": [0.918, null, ...]}"};
}

// Python writes NaN as a bare word, which is no JSON: null.
std::string WithoutNaN(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (!quoted && text.substr(i, 3) == "NaN") {
      clean += "null";
      i += 2;
    } else {
      clean += text[i];
    }
  }
  return clean;
}

Status ReadJsonTicks(const TraceSource& source, const Json& data, AvailabilityTrace& trace) {
  if (!data.is_array() || data.empty()) return WrongJson(source, "\"data\" is no list of ticks");
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Json& tick = data[i];
    const bool whole = tick.is_number_unsigned() &&
                       tick.get<std::uint64_t>() <= static_cast<std::uint64_t>(kTraceInstancesMax);
    if (!whole) {
      return WrongJson(source, "data[" + std::to_string(i) +
                                   "] is no number of instances from 0 to " +
                                   std::to_string(kTraceInstancesMax));
    }
    trace.instances.push_back(tick.get<std::int32_t>());
  }
  return Ok();
}

Status ReadJsonPrices(const TraceSource& source, const Json& prices, AvailabilityTrace& trace) {
  if (!prices.is_array() || prices.size() != trace.instances.size()) {
    return WrongJson(source, "\"prices\" is no list as long as \"data\"");
  }
  for (std::size_t i = 0; i < prices.size(); ++i) {
    const Json& price = prices[i];
    const bool known = price.is_number() || price.is_null() || price.is_string();
    const std::string text = price.is_string() ? price.get<std::string>()
                             : known           ? price.dump()
                                               : "";
    if (!known || !ReadPrice(text, trace.prices.emplace_back())) {
      return WrongJson(source, "prices[" + std::to_string(i) + "] is no price for an hour");
    }
  }
  return Ok();
}

Result<Duration> JsonGap(const TraceSource& source, const Json& document) {
  const auto metadata = document.find("metadata");
  if (metadata != document.end() && metadata->is_object()) {
    const auto gap = metadata->find("gap_seconds");
    if (gap != metadata->end() && gap->is_number()) {
      const std::optional<Duration> read = DecimalDuration(gap->dump(), Seconds(1));
      if (read && *read > Duration() && *read <= Days(1)) return *read;
    }
  }
  return WrongJson(source, "\"metadata\" has no \"gap_seconds\" above 0 and of a day at most");
}

// The folders of the published set say what was observed; prices come with held instances only.
SpotObservation JsonObservation(const TraceSource& source, const AvailabilityTrace& trace) {
  const bool preemption = source.file.find("preemption") != std::string::npos;
  const bool availability = source.file.find("availability") != std::string::npos;
  return preemption || (!availability && !trace.prices.empty()) ? SpotObservation::kHeld
                                                                : SpotObservation::kPings;
}

// The commonest step between times, the smaller one on a tie; null without two times in order.
std::optional<Duration> CommonStep(const std::vector<Duration>& steps) {
  std::map<Duration, std::int64_t> counts;
  for (const Duration step : steps) ++counts[step];
  std::optional<Duration> best;
  std::int64_t most = 0;
  for (const auto& [step, count] : counts) {
    if (count <= most) continue;
    most = count;
    best = step;
  }
  return best;
}

std::int64_t PausesOf(const std::vector<Duration>& steps, Duration gap) {
  return std::count_if(steps.begin(), steps.end(),
                       [&](Duration step) { return 2 * step.base() > 3 * gap.base(); });
}

void NotePauses(const std::vector<Duration>& steps, AvailabilityTrace& trace,
                SpotHistory& history) {
  const std::int64_t pauses = PausesOf(steps, trace.gap);
  if (pauses == 0) return;
  history.notes.push_back(trace.name + ": " + std::to_string(pauses) +
                          " pauses of more than one and a half steps count as one step each");
}

struct TableColumns {
  std::size_t time = SIZE_MAX, available = SIZE_MAX, price = SIZE_MAX;
};

TableColumns ColumnsOf(const TraceLine& header) {
  TableColumns columns;
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    if (header.fields[i] == "time") columns.time = i;
    if (header.fields[i] == "available") columns.available = i;
    if (header.fields[i] == "price") columns.price = i;
  }
  return columns;
}

// Seconds from any origin, or an instant; `is_instant` says which.
Result<Instant> TableTime(const TraceSource& source, const TraceLine& line, std::size_t field,
                          bool& is_instant) {
  const std::string_view text = field < line.fields.size() ? line.fields[field] : "";
  if (const std::optional<Duration> seconds = DecimalDuration(text, Seconds(1))) {
    is_instant = false;
    return AtMillis(seconds->base());
  }
  is_instant = true;
  if (const Result<Instant> time = ParseInstant(text)) return *time;
  return TraceError(source.file, line, field,
                    "is no time: write 2026-11-23T00:00:00Z, or seconds from the first line");
}

Status ReadTableRow(const TraceSource& source, const TraceLine& line, const TableColumns& columns,
                    AvailabilityTrace& trace) {
  PLIMSOLL_TRY(const std::int64_t instances,
               WholeField(source.file, line, columns.available, {0, kTraceInstancesMax}));
  trace.instances.push_back(static_cast<std::int32_t>(instances));
  if (columns.price == SIZE_MAX) return Ok();
  const std::string_view price =
      columns.price < line.fields.size() ? line.fields[columns.price] : "";
  if (ReadPrice(price, trace.prices.emplace_back())) return Ok();
  return TraceError(source.file, line, columns.price,
                    "is no price for an hour, such as 0.918; leave it empty where it is unknown");
}

}  // namespace

Result<SpotHistory> ReadSkyPilotTrace(const TraceSource& source) {
  const Json document = Json::parse(WithoutNaN(source.text), nullptr, false);
  if (document.is_discarded() || !document.is_object()) {
    return WrongJson(source, "this is no JSON object");
  }
  AvailabilityTrace trace = StartTrace(source);
  PLIMSOLL_TRY(trace.gap, JsonGap(source, document));
  const auto data = document.find("data");
  PLIMSOLL_RETURN_IF_ERROR(ReadJsonTicks(source, data == document.end() ? Json() : *data, trace));
  const auto prices = document.find("prices");
  if (prices != document.end()) {
    PLIMSOLL_RETURN_IF_ERROR(ReadJsonPrices(source, *prices, trace));
  }
  trace.observed = JsonObservation(source, trace);
  SpotHistory history;
  history.traces.push_back(std::move(trace));
  return history;
}

Result<SpotHistory> ReadPingTrace(const TraceSource& source) {
  AvailabilityTrace trace = StartTrace(source);
  SpotHistory history;
  std::vector<Duration> steps;
  Instant before;
  for (const TraceLine& line : TraceLines(source.text)) {
    const std::string_view time = line.fields.size() > 1 ? line.fields[1] : "";
    const Result<Instant> at = ParseInstant(time);
    if (!at) return TraceError(source.file, line, 1, "is no time such as 2022-10-26T22:05:04Z");
    if (!trace.instances.empty() && *at <= before) {
      return TraceError(source.file, line, 1, "is not after the line before; sort it by time");
    }
    PLIMSOLL_TRY(const std::int64_t preempted, WholeField(source.file, line, 2, {0, 1}));
    if (trace.instances.empty()) {
      trace.begin = *at;
    } else {
      steps.push_back(Between(before, *at));
    }
    before = *at;
    trace.instances.push_back(preempted == 1 ? 0 : 1);
  }
  const std::optional<Duration> step = CommonStep(steps);
  if (!step) {
    return Error{ErrorCode::kBadData,
                 source.file + " has fewer than two lines: they do not tell a step"};
  }
  trace.gap = *step;
  NotePauses(steps, trace, history);
  history.notes.push_back(trace.name + ": read as 1 = preempted, 0 = available");
  history.traces.push_back(std::move(trace));
  return history;
}

Result<SpotHistory> ReadTableTrace(const TraceSource& source) {
  const std::vector<TraceLine> lines = TraceLines(source.text);
  AvailabilityTrace trace = StartTrace(source);
  SpotHistory history;
  std::vector<Duration> steps;
  Instant before;
  if (lines.empty()) {
    return Error{ErrorCode::kBadData, source.file + ": is empty"};
  }
  const TableColumns columns = ColumnsOf(lines.front());
  if (columns.time == SIZE_MAX || columns.available == SIZE_MAX) {
    return TraceError(source.file, lines.front(), 0,
                      "begins no header with the columns time and available");
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    PLIMSOLL_RETURN_IF_ERROR(CheckWidth(source.file, lines.front(), lines[i]));
    bool is_instant = false;
    PLIMSOLL_TRY(const Instant at, TableTime(source, lines[i], columns.time, is_instant));
    if (i == 1 && is_instant) trace.begin = at;
    if (i > 1 && (at <= before || is_instant != trace.begin.has_value())) {
      return TraceError(source.file, lines[i], columns.time,
                        "is not after the line before; sort it by time, in one notation");
    }
    if (i > 1) steps.push_back(Between(before, at));
    before = at;
    PLIMSOLL_RETURN_IF_ERROR(ReadTableRow(source, lines[i], columns, trace));
  }
  const std::optional<Duration> step = CommonStep(steps);
  if (!step) {
    return Error{ErrorCode::kBadData,
                 source.file + " has fewer than two rows: they do not tell a step"};
  }
  trace.gap = *step;
  NotePauses(steps, trace, history);
  history.traces.push_back(std::move(trace));
  return history;
}

}  // namespace plimsoll
