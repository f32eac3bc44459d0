// PlanSpotTrace: `plan spot --trace`: policies replayed against a trace of spot capacity.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/context.h"

namespace plimsoll {

// Of the job itself, as text of the options that `plan spot` has with and without a trace.
struct SpotTraceJob {
  std::string work, deadline, restart = "0";
  std::string on_demand, spot;  // price of one instance for an hour; spot "": the trace's
  std::int64_t nodes = 1;       // instances needed at once
  std::int64_t seed = 1;        // of starts that are drawn
};

struct SpotTraceArgs {
  std::string trace, format, starts;
  std::string policies = "on-demand,spot-only,greedy,uniform-progress,optimum";
  std::int64_t random_starts = 0;  // 0: all that leave room, a thousand at most
  bool per_start = false;
};

// --trace and what goes with it; the variables outlive the command.
std::vector<CommandOption> SpotTraceOptions(SpotTraceArgs& args);

// Fails with kInvalidArgument, naming an option that was given and says nothing without --trace.
Status CheckNeedsNoTrace(const SpotTraceArgs& args);

// Prints an answer with the tables `policies`, `usage` and, if asked for, `starts`
// (docs/formats/output.md). REQUIRES: args.trace is given
Result<ExitCode> RunSpotTrace(Context& context, const SpotTraceArgs& args, const SpotTraceJob& job);

}  // namespace plimsoll
