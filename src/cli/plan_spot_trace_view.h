// SpotTraceView: replayed policies as an answer for people and programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/table.h"
#include "purchase/spot/trace_policy.h"
#include "purchase/spot/trace_summary.h"

namespace plimsoll {

struct PolicyOutcomes {
  TracePolicy policy = TracePolicy::kOnDemand;
  std::vector<TraceOutcome> outcomes;  // by start
  TraceSummary summary;
};

struct SpotTraceView {
  std::string trace, currency;
  Duration gap;
  std::int64_t ticks = 0, ticks_up = 0;
  TraceJob job;
  std::vector<std::int64_t> starts;
  std::vector<PolicyOutcomes> policies;
  bool per_start = false;
};

// `policies`: cost, lateness, how much of the gap from greedy to the optimum is closed. `usage`:
// where the time was spent. `starts`: with per_start, one row a policy and start.
Answer SpotTraceAnswer(const SpotTraceView& view);

}  // namespace plimsoll
