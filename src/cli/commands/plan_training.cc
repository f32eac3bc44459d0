#include <memory>
#include <utility>

#include "capacity/queue/queue_simulation.h"
#include "cli/context.h"
#include "cli/plan_commands.h"
#include "cli/training_files.h"
#include "cli/training_fill.h"
#include "cli/training_run.h"

namespace plimsoll {
namespace {

// One member for each way of asking; each way is a file of its own (cli/training_*.h) with what
// it asks for, its options and its run.
struct Args {
  TrainingFillArgs fill;
  TrainingFileArgs files;
  TrainingArgs run;
};

Result<ExitCode> RunAsked(Context& context, const Args& args) {
  if (AsksForFill(args.fill)) return RunTrainingFill(context, args.fill);
  const bool has_files = !args.files.cluster.empty() || !args.files.jobs.empty();
  if (has_files || !args.files.window.empty() || AsksForRun(args.run)) {
    PLIMSOLL_TRY(const TrainingModel model, ReadTrainingModel(context, args.files));
    TrainingArgs run = args.run;
    run.seed = args.fill.seed;  // one option for both ways
    return RunTraining(context, run, model, {CheckQueueInput, SimulateQueue});
  }
  return Error{
      ErrorCode::kInvalidArgument,
      "say what to plan with: --cluster FILE --jobs FILE simulates the queue, --window 30d the "
      "same "
      "with nodes and jobs of the database, --nodes FILE --pods FILE fills nodes with pods"};
}

}  // namespace

Command PlanTrainingCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "training";
  command.summary = "Say how many GPUs training needs, how long jobs wait, and what is left idle";
  command.about =
      "With --cluster and --jobs, simulates the queue again and again: P(a gang starts in time) "
      "with --probe, waits by class with --targets, what a change does with --what-if, the least "
      "fleet that meets the targets with --grid. Lower bounds and closed forms stand beside. "
      "--quota "
      "has the queue obey Kueue's quotas.\n\n"
      "Without files, jobs and nodes are those of the database, and the waits on record stand "
      "beside the simulated ones.\n\n"
      "With --nodes and --pods, fills the nodes with pods of the list in random order, again and "
      "again from it, until what has arrived asks for --fill of all GPUs, and says what each "
      "--policy gets to allocate, how much of the idle rest is fragmented and why. The method is "
      "that of Weng et al. (USENIX ATC 2023); its published runs come out again.";
  command.example =
      "plimsoll plan training --cluster cluster.yaml --jobs jobs.csv --probe "
      "gpus=32,domain=rack,within=4h\n"
      "plimsoll plan training --cluster cluster.yaml --jobs jobs.csv --targets targets.yaml --grid "
      "h100=4..16/2\n"
      "plimsoll plan training --window lastweek --probe gpus=16,within=4h\n"
      "plimsoll plan training --nodes nodes.csv --pods pods.csv --fill 130% --policy fgd\n"
      "plimsoll plan training --nodes nodes.csv --pods pods.csv --policy all --seeds 3 "
      "--format json";
  command.common = CommonSet::kStore;
  command.options = TrainingFileOptions(args->files);
  for (auto& option : TrainingOptions(args->run)) command.options.push_back(std::move(option));
  for (auto& option : TrainingFillOptions(args->fill)) command.options.push_back(std::move(option));
  command.run = [args](Context& context) { return RunAsked(context, *args); };
  return command;
}

}  // namespace plimsoll
