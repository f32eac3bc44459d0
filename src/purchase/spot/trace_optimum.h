// TraceOptimum: the least that the job could cost on a trace, knowing all of it.
//
// Exact: dynamic programming over the ticks that keeps, for each machine, the progress and cost
// that no other way beats in both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "purchase/spot/trace_job.h"

namespace plimsoll {

struct OptimumOptions {
  // The published integer programme counts one restart for tick 0 whether or not a machine is
  // held in it: a plan that waits at first pays one restart too many. With it, deadlines are
  // rounded up to whole ticks as there; else down. For comparison with published figures only.
  bool published = false;
};

// Null if no way meets the deadline, or the trace ends before one does. Preemptions are not told.
// REQUIRES: work, deadline, gap > 0
std::optional<TraceOutcome> TraceOptimum(const TraceJob& job, const SpotSeries& series,
                                         const OptimumOptions& options);

}  // namespace plimsoll
