#include <memory>
#include <string>
#include <utility>

#include "cli/context.h"
#include "cli/plan_commands.h"
#include "cli/plan_input.h"
#include "cli/plan_spot_trace.h"
#include "cli/spot_arguments.h"
#include "cli/spot_view.h"

namespace plimsoll {
namespace {

struct Args {
  SpotArguments run;
  SpotTraceArgs trace;
};

// The capacity of a trace is what it was: no law of evictions, no price but the instance's.
void SayWhatATraceDoesNotUse(Context& context, const SpotArguments& run) {
  const std::pair<const char*, const std::string*> unused[] = {
      {"--checkpoint-write", &run.checkpoint_write},
      {"--wait", &run.wait},
      {"--interval", &run.interval},
      {"--step", &run.step},
      {"--mtbf", &run.mtbf},
      {"--model", &run.model},
      {"--hardware-mtbf", &run.hardware_mtbf},
      {"--notice", &run.notice},
      {"--save-probability", &run.save_probability},
      {"--storage-gb", &run.storage_gb},
      {"--storage-price", &run.storage_price},
      {"--traffic-gb", &run.traffic_gb},
      {"--traffic-price", &run.traffic_price},
      {"--people-cost", &run.people},
      {"--people-cost-per-eviction", &run.people_per_eviction},
      {"--delay-cost", &run.delay_cost},
      {"--penalty", &run.penalty},
      {"--penalty-per-hour", &run.penalty_per_hour},
      {"--on-time", &run.on_time}};
  std::string names;
  for (const auto& [name, value] : unused) {
    if (!value->empty()) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  if (!names.empty()) context.Say("Note: a trace says when capacity was there; not used: " + names);
}

Result<ExitCode> RunOnTrace(Context& context, const Args& args) {
  SayWhatATraceDoesNotUse(context, args.run);
  SpotTraceJob job{args.run.work, args.run.deadline,
                   args.run.restart.empty() ? "0" : args.run.restart, args.run.on_demand,
                   args.run.spot};
  job.seed = args.run.seed;
  if (!args.run.nodes.empty()) {
    PLIMSOLL_TRY(job.nodes, CountOption("--nodes", args.run.nodes));
  }
  return RunSpotTrace(context, args.trace, job);
}

Result<ExitCode> RunPlanSpot(Context& context, const Args& all) {
  if (!all.trace.trace.empty()) return RunOnTrace(context, all);
  PLIMSOLL_RETURN_IF_ERROR(CheckNeedsNoTrace(all.trace));
  const SpotArguments& args = all.run;
  PLIMSOLL_TRY(const SpotQuestion question, SpotQuestionOf(args));
  std::optional<std::int64_t> gpus;
  if (!args.gpus.empty()) {
    PLIMSOLL_TRY(gpus, CountOption("--gpus", args.gpus));
  }
  PLIMSOLL_TRY(const SpotPlan plan, PlanSpot(question));
  context.Print(SpotAnswer({question, plan, gpus}));
  return ExitCode::kDone;
}

}  // namespace

Command PlanSpotCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "spot";
  command.summary =
      "Tell what a training run saves on spot net, how often to save, by when it ends";
  command.about =
      "Simulates the run again and again beside the closed forms of Young, Daly and the renewal "
      "equation. Prices are of one node, with all its GPUs, for an hour: 32.77 for a machine of "
      "eight. The run works from hour zero; an eviction takes it back to its last checkpoint, "
      "then it waits for capacity and restarts.\n\n"
      "The saving is net: recomputation, restarts, checkpoints, nodes held while others are waited "
      "for, storage, traffic, people and the deadline's penalty are lines that add up from the "
      "difference in price. With a deadline a third policy goes on demand in time.\n\n"
      "Times are written 45m, 1h30m or 4.5h. Evictions are memoryless with --mtbf; --model takes "
      "other laws, or lifetimes of your own (docs/formats/lifetimes.md).\n\n"
      "With --trace, policies are replayed on recorded capacity instead, tick by tick, from many "
      "starts, and compared with the least that it could have cost.";
  command.example =
      "plimsoll plan spot --work 100h --gpus 8 --checkpoint-write 5m --restart 10m --wait 30m "
      "--mtbf 4h --on-demand 32.77 --spot 11.47 --deadline 160h\n"
      "plimsoll plan spot --work 72h --nodes 16 --checkpoint-write 90s --restart 12m --wait 1h "
      "--mtbf 60h --hardware-mtbf 2000h --on-demand 98.32 --spot 41.30 --storage-gb 965 "
      "--storage-price 0.023 --format json\n"
      "plimsoll plan spot --work 100h --checkpoint-write 2m --restart 5m --interval by-age "
      "--model weibull:k=0.56,scale=2.09h --on-demand 3.06 --spot 0.92\n"
      "plimsoll plan spot --trace us-west-2a_v100_1.json --work 48h --deadline 52h --restart 0.1h "
      "--on-demand 3.06 --spot 0.9731";
  command.common = CommonSet::kOutput;
  command.options = SpotOptions(args->run);
  for (CommandOption& option : SpotTraceOptions(args->trace)) {
    command.options.push_back(std::move(option));
  }
  command.run = [args](Context& context) { return RunPlanSpot(context, *args); };
  return command;
}

}  // namespace plimsoll
