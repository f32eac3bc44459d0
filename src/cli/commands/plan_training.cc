#include <memory>

#include "cli/context.h"
#include "cli/plan_commands.h"
#include "cli/training_fill.h"

namespace plimsoll {
namespace {

// One member for each way of asking; each way is a file of its own (cli/training_*.h) with what
// it asks for, its options and its run.
struct Args {
  TrainingFillArgs fill;
};

Result<ExitCode> RunTraining(Context& context, const Args& args) {
  if (AsksForFill(args.fill)) return RunTrainingFill(context, args.fill);
  return Error{ErrorCode::kInvalidArgument,
               "say what to plan with: --nodes FILE --pods FILE fills nodes with pods"};
}

}  // namespace

Command PlanTrainingCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "training";
  command.summary = "See what a GPU cluster takes of batch jobs, and what is left of it idle";
  command.about =
      "With --nodes and --pods, fills the nodes with pods of the list in random order, again and "
      "again from it, until what has arrived asks for --fill of all GPUs, and says what each "
      "--policy gets to allocate, how much of the idle rest is fragmented and why. The method is "
      "that of Weng et al. (USENIX ATC 2023); its published runs come out again.";
  command.example =
      "plimsoll plan training --nodes nodes.csv --pods pods.csv --fill 130% --policy fgd\n"
      "plimsoll plan training --nodes nodes.csv --pods pods.csv --policy all --seeds 3 "
      "--format json";
  command.common = CommonSet::kStore;
  command.options = TrainingFillOptions(args->fill);
  command.run = [args](Context& context) { return RunTraining(context, *args); };
  return command;
}

}  // namespace plimsoll
