// TraceReplay: one job under one policy on one stretch of a trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "purchase/spot/trace_policy.h"

namespace plimsoll {

// Walks the ticks until the work is done or the trace ends. A machine that is taken at a tick is
// gone from that tick on; a tick on a machine does work but for what is left of the restart; a
// change of machine restarts, from spot to on demand and back too. A policy that does not see its
// end pays for one tick more, which does not move `finished`.
// REQUIRES: work, deadline, gap > 0; policy looks at no future (below TracePolicy::kOptimum)
TraceOutcome ReplayTrace(TracePolicy policy, const TraceJob& job, const SpotSeries& series);

}  // namespace plimsoll
