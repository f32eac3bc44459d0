// Traces of held instances: who came and went, or how many there were.
#include <algorithm>
#include <map>
#include <numeric>

#include "ingest/trace/trace_formats.h"
#include "ingest/trace/trace_text.h"

namespace plimsoll {
namespace {

struct Change {
  Duration at;
  std::int32_t instances = 0;  // from then on
};

// Changes in order of time as ticks of the greatest common step, up to the last change.
Result<AvailabilityTrace> TicksOf(const TraceSource& source, const std::vector<Change>& changes) {
  AvailabilityTrace trace;
  trace.name = TraceNameOf(source.file);
  trace.pool = PoolOfName(trace.name);
  trace.observed = SpotObservation::kHeld;
  std::int64_t gap = 0;
  for (const Change& change : changes) {
    gap = std::gcd(gap, (change.at - changes.front().at).base());
  }
  if (gap == 0) {
    return Error{
        ErrorCode::kBadData,
        source.file + " tells of one moment only: a trace needs a later line that ends it"};
  }
  const std::int64_t ticks = (changes.back().at - changes.front().at).base() / gap;
  if (ticks > kTraceTicksMax) {
    return Error{ErrorCode::kBadData, source.file + " would have " + std::to_string(ticks) +
                                          " steps of " + std::to_string(gap) +
                                          " ms; check its unit with --trace-format, or round its " +
                                          "times"};
  }
  trace.gap = Millis(gap);
  trace.instances.reserve(static_cast<std::size_t>(ticks));
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    const std::int64_t until = (changes[i + 1].at - changes.front().at).base() / gap;
    trace.instances.resize(static_cast<std::size_t>(until), changes[i].instances);
  }
  return trace;
}

struct Running {
  std::map<std::string, Duration, std::less<>> since;
  InstanceLifetimes lifetimes;

  void End(std::map<std::string, Duration, std::less<>>::iterator instance, Duration at,
           bool preempted) {
    lifetimes.lifetime.push_back(at - instance->second);
    lifetimes.preempted.push_back(preempted ? 1 : 0);
    since.erase(instance);
  }
};

Status Apply(const TraceSource& source, const TraceLine& line, Duration at, Running& running) {
  if (line.fields.size() < 3 || line.fields[2].empty()) {
    return TraceError(source.file, line, 2, "is no name of an instance");
  }
  const auto known = running.since.find(line.fields[2]);
  if (line.fields[1] == "add") {
    if (known != running.since.end()) {
      return TraceError(source.file, line, 2, "is added, but it runs since an earlier line");
    }
    running.since.emplace(line.fields[2], at);
    return Ok();
  }
  if (line.fields[1] != "remove") return TraceError(source.file, line, 1, "is not add or remove");
  if (known == running.since.end()) {
    return TraceError(source.file, line, 2, "is removed, but no earlier line adds it");
  }
  running.End(known, at, true);
  return Ok();
}

struct Reading {
  Instant at;
  std::int32_t instances = 0;
};

Result<Reading> ReadingOf(const TraceSource& source, const TraceLine& line) {
  const std::string date(line.fields[0]);
  const std::string_view time = line.fields.size() > 1 ? line.fields[1] : "";
  const Result<Instant> at = ParseInstant(date + "T" + std::string(time));
  if (!at) return TraceError(source.file, line, 1, "is no time of day after a date");
  PLIMSOLL_TRY(const std::int64_t instances,
               WholeField(source.file, line, 2, {0, kTraceInstancesMax}));
  return Reading{*at, static_cast<std::int32_t>(instances)};
}

}  // namespace

Result<SpotHistory> ReadInstanceEvents(const TraceSource& source) {
  Running running;
  std::vector<Change> changes;
  for (const TraceLine& line : TraceLines(source.text)) {
    PLIMSOLL_TRY(const std::int64_t ms, WholeField(source.file, line, 0, {}));
    const Duration at = Millis(ms);
    if (!changes.empty() && at < changes.back().at) {
      return TraceError(source.file, line, 0, "is before the line above; sort it by time");
    }
    PLIMSOLL_RETURN_IF_ERROR(Apply(source, line, at, running));
    const auto count = static_cast<std::int32_t>(running.since.size());
    if (changes.empty() || at > changes.back().at) {
      changes.push_back({at, count});
    } else {
      changes.back().instances = count;
    }
  }
  SpotHistory history;
  if (changes.empty()) return Error{ErrorCode::kBadData, source.file + " has no events"};
  PLIMSOLL_TRY(AvailabilityTrace trace, TicksOf(source, changes));
  while (!running.since.empty()) running.End(running.since.begin(), changes.back().at, false);
  running.lifetimes.name = trace.name;
  running.lifetimes.pool = trace.pool;
  history.lifetimes.push_back(std::move(running.lifetimes));
  history.traces.push_back(std::move(trace));
  return history;
}

Result<SpotHistory> ReadInstanceSteps(const TraceSource& source, Duration unit) {
  std::vector<Change> changes;
  for (const TraceLine& line : TraceLines(source.text)) {
    const std::optional<Duration> at = DecimalDuration(line.fields[0], unit);
    if (!at) return TraceError(source.file, line, 0, "is no time from 0 on");
    if (!changes.empty() && *at < changes.back().at) {
      return TraceError(source.file, line, 0, "is before the line above; sort it by time");
    }
    PLIMSOLL_TRY(const std::int64_t instances,
                 WholeField(source.file, line, 1, {0, kTraceInstancesMax}));
    const auto count = static_cast<std::int32_t>(instances);
    if (changes.empty() || *at > changes.back().at) {
      changes.push_back({*at, count});
    } else {
      changes.back().instances = count;
    }
  }
  if (changes.empty()) return Error{ErrorCode::kBadData, source.file + " has no steps"};
  SpotHistory history;
  PLIMSOLL_TRY(AvailabilityTrace trace, TicksOf(source, changes));
  history.traces.push_back(std::move(trace));
  return history;
}

Result<SpotHistory> ReadInstanceReadings(const TraceSource& source) {
  std::vector<Reading> readings;
  std::int64_t taken_back = 0, lines = 0;
  for (const TraceLine& line : TraceLines(source.text)) {
    PLIMSOLL_TRY(const Reading reading, ReadingOf(source, line));
    ++lines;
    for (; !readings.empty() && readings.back().at >= reading.at; readings.pop_back()) ++taken_back;
    readings.push_back(reading);
  }
  if (taken_back * 10 > lines) {
    return Error{ErrorCode::kBadData, source.file + " has " + std::to_string(taken_back) + " of " +
                                          std::to_string(lines) +
                                          " lines out of order; sort it by time"};
  }
  if (readings.empty()) return Error{ErrorCode::kBadData, source.file + " has no readings"};
  std::vector<Change> changes;
  for (const Reading& reading : readings) {
    changes.push_back({Between(readings.front().at, reading.at), reading.instances});
  }
  SpotHistory history;
  PLIMSOLL_TRY(AvailabilityTrace trace, TicksOf(source, changes));
  trace.begin = readings.front().at;
  if (taken_back > 0) {
    history.notes.push_back(trace.name + ": " + std::to_string(taken_back) +
                            " lines are taken back by later ones of an earlier time");
  }
  history.traces.push_back(std::move(trace));
  return history;
}

}  // namespace plimsoll
