#include <memory>

#include "cli/plan_commands.h"
#include "cli/plan_spot_trace.h"

namespace plimsoll {

Command PlanSpotCommand() {
  struct Args {
    SpotTraceJobArgs job;
    SpotTraceArgs trace;
  };
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "spot";
  command.summary = "Show what a job costs on spot, and whether it is done in time";
  command.about =
      "With --trace, replays policies on a trace of spot capacity, tick by tick, from many starts, "
      "and compares them with the least that it could have cost.";
  command.example =
      "plimsoll plan spot --trace us-west-2a_v100_1.json --work 48h --deadline 52h --restart 0.1h "
      "--on-demand 3.06 --spot 0.9731";
  command.common = CommonSet::kStore;
  command.options = SpotTraceJobOptions(args->job);
  for (CommandOption& option : SpotTraceOptions(args->trace)) {
    if (option.names == "--trace") option.required = true;
    command.options.push_back(std::move(option));
  }
  command.run = [args](Context& context) { return RunSpotTrace(context, args->trace, args->job); };
  return command;
}

}  // namespace plimsoll
