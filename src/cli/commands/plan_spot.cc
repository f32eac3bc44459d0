#include <memory>

#include "cli/context.h"
#include "cli/plan_commands.h"
#include "cli/spot_arguments.h"
#include "cli/spot_view.h"

namespace plimsoll {
namespace {

Result<ExitCode> RunPlanSpot(Context& context, const SpotArguments& args) {
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
  auto args = std::make_shared<SpotArguments>();
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
      "other laws, or lifetimes of your own (docs/formats/lifetimes.md).";
  command.example =
      "plimsoll plan spot --work 100h --gpus 8 --checkpoint-write 5m --restart 10m --wait 30m "
      "--mtbf 4h --on-demand 32.77 --spot 11.47 --deadline 160h\n"
      "plimsoll plan spot --work 72h --nodes 16 --checkpoint-write 90s --restart 12m --wait 1h "
      "--mtbf 60h --hardware-mtbf 2000h --on-demand 98.32 --spot 41.30 --storage-gb 965 "
      "--storage-price 0.023 --format json\n"
      "plimsoll plan spot --work 100h --checkpoint-write 2m --restart 5m --interval by-age "
      "--model weibull:k=0.56,scale=2.09h --on-demand 3.06 --spot 0.92";
  command.common = CommonSet::kOutput;
  command.options = SpotOptions(*args);
  command.run = [args](Context& context) { return RunPlanSpot(context, *args); };
  return command;
}

}  // namespace plimsoll
