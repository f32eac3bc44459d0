// The readers of single formats, for ReadSpotHistory (ingest/trace/trace_reader.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/trace/trace_reader.h"

namespace plimsoll {

// Ticks of one trace: half a year of seconds. More is a mistaken unit.
inline constexpr std::int64_t kTraceTicksMax = 16'000'000;
// Instances at one tick; more is a mistaken column.
inline constexpr std::int64_t kTraceInstancesMax = 1'000'000;

Result<SpotHistory> ReadSkyPilotTrace(const TraceSource& source);

// The raw pings say 1 for preempted: the trace says 1 for available. The step is the commonest
// one between two lines; a longer pause than a step and a half is told in a note.
Result<SpotHistory> ReadPingTrace(const TraceSource& source);

// `time,available[,price]` with a header. Times are instants or seconds from any origin.
Result<SpotHistory> ReadTableTrace(const TraceSource& source);

// Adds and removes of named instances: their lifetimes and how many ran. An instance that still
// runs at the last line is censored there. An add of one that runs, or a remove of one that does
// not, fails.
Result<SpotHistory> ReadInstanceEvents(const TraceSource& source);

// How many ran, as steps. `unit` is that of the first field.
Result<SpotHistory> ReadInstanceSteps(const TraceSource& source, Duration unit);

// Readings of a count in the order of their writing: a line at an earlier time takes back what
// was said of later times. Fails if that takes back more than a tenth.
Result<SpotHistory> ReadInstanceReadings(const TraceSource& source);

// One InstanceLifetimes a cloud, GPU, number of GPUs and zone. Errors are "file:line: column:
// reason".
Result<SpotHistory> ReadLifetimes(const TraceSource& source);

Result<SpotHistory> ReadAdvisorJson(const TraceSource& source);
Result<SpotHistory> ReadAdvisorCsv(const TraceSource& source);

}  // namespace plimsoll
