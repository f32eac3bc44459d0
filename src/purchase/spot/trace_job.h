// TraceJob: a job with a deadline, and the spot capacity that it meets tick by tick.
//
// Time in whole ticks, as a trace tells it: what is decided at a tick holds until the next, and a
// machine that is held for a tick is paid for all of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

struct TraceJob {
  Duration work;      // on a machine, without restarts; above 0
  Duration deadline;  // from the start; above 0
  Duration restart;   // each time that it comes onto another machine: no work is done in it
  Money on_demand;    // all machines of the job for an hour
  Money spot;
};

// Capacity from the start of one job to the end of the trace.
struct SpotSeries {
  Duration gap;                      // above 0
  std::span<const std::uint8_t> up;  // 1 a tick: there is spot capacity for the whole job
  // All machines for an hour, as many as `up`; empty: TraceJob::spot throughout.
  std::span<const Money> prices = {};
};

// What the job did on the trace.
struct TraceOutcome {
  Money cost;
  Duration finished;  // from the start, while the last machine was held; if `done`
  bool done = false;  // false: the trace ended first, and cost is what was spent until then
  Duration on_demand_time, spot_time;  // held and paid for
  std::int64_t preemptions = 0;
  std::int64_t restarts = 0;  // machines that it came onto, the first among them
};

// Of `ticks` whose prices for an hour add up to `per_hour`: x gap, rounded once, half to even.
Money CostOfTicks(Money per_hour, Duration gap);

inline bool IsLate(const TraceOutcome& outcome, const TraceJob& job) {
  return !outcome.done || outcome.finished > job.deadline;
}

}  // namespace plimsoll
