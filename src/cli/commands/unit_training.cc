#include <memory>

#include "cli/context.h"
#include "cli/training_runs.h"
#include "cli/training_view.h"
#include "cli/unit_commands.h"

namespace plimsoll {
namespace {

struct Args {
  std::vector<std::string> runs, files;
  std::string experiment, target, gpu_price;
  std::int64_t gpus = -1;  // not given
  std::int64_t hang_factor = 10;
};

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

Result<TrainingQuestion> QuestionOf(Context& context, const Args& args) {
  TrainingQuestion question;
  question.paths = args.runs;
  question.paths.insert(question.paths.end(), args.files.begin(), args.files.end());
  const CommonOptions& common = context.options();
  question.with_ledger = question.paths.empty() || !common.db.empty() || !common.from.empty();
  question.experiment = args.experiment;
  if (!args.gpu_price.empty()) {
    const Result<Money> price = Money::Parse(args.gpu_price);
    if (!price || *price < Money()) {
      return Wrong("--gpu-price '" + args.gpu_price +
                   "' is not a price for an hour of one GPU, such as 2.50");
    }
    question.gpu_price = *price;
  }
  if (args.gpus >= 0) question.gpus = args.gpus;
  if (args.gpus < -1) return Wrong("--gpus is a number of GPUs, such as 8");
  if (!args.target.empty()) {
    PLIMSOLL_TRY(question.target, ParseTarget(args.target));
  }
  if (args.hang_factor < 1) return Wrong("--hang-factor is a number of steps from 1");
  question.hang_factor = args.hang_factor;
  return question;
}

Result<ExitCode> RunTraining(Context& context, const Args& args) {
  PLIMSOLL_TRY(const TrainingQuestion question, QuestionOf(context, args));
  PLIMSOLL_TRY(const std::vector<PricedRun> runs, AnswerTraining(context, question));
  if (runs.empty() && !question.paths.empty() && question.experiment.empty()) {
    return Error{ErrorCode::kBadData,
                 "--runs " + question.paths.front() +
                     ": holds no training run; docs/formats/runs.md says what is read"};
  }
  if (runs.empty()) {
    context.Warn(question.experiment.empty()
                     ? "no run is loaded: give --runs FILE, or plimsoll ingest runs FILE"
                     : "no run is of experiment '" + question.experiment + "'");
  }
  context.Print(TrainingAnswer(runs, context.options().format == "table"));
  return ExitCode::kDone;
}

}  // namespace

Command UnitTrainingCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "training";
  command.summary = "Show what training runs cost, where their GPU-hours went, what failures cost";
  command.about =
      "Every GPU-hour that a run held went into one thing: effective (it advanced steps that "
      "were kept), startup, data_stall, checkpoint, recomputation (steps that were lost), hang, "
      "restart, or unknown where the log does not say. They add up to what was allocated, "
      "exactly. A failure costs the work since the last durable checkpoint and the restart. ETTR "
      "is effective / allocated; the expected one is what the run's own failures, saves and "
      "restarts let one expect.\n\n"
      "All of the cost is carried by the samples and tokens of kept steps; repeated ones are "
      "shown apart. With a target, runs of one experiment are ranked by what reaching it cost; "
      "runs that never reached it come last. A dominated run has one beside it that is as cheap "
      "and as good, and better in one.\n\n"
      "--runs reads logs without a database: Plimsoll's event log, MLflow, TensorBoard, "
      "trainer_state.json, Lightning. Without it the runs are those that were loaded. With a "
      "database (or --from) costs come from the cost lines that a run joins by label "
      "plimsoll.io/run, job, workload or pod; what joins none is priced by --gpu-price. Targets "
      "may stand in plimsoll.yaml, for each experiment.";
  command.example =
      "plimsoll unit training --runs runs --gpu-price 2.50\n"
      "plimsoll unit training --runs a.jsonl --runs b.jsonl --gpu-price 2.50 --gpus 8 "
      "--target 'loss<=2.5,window=3'\n"
      "plimsoll unit training --experiment tiny-lm --format json";
  command.common = CommonSet::kFacts;
  command.options = {
      CommandOption::List("--runs", "FILE",
                          "A log or a folder of logs, in place of what is loaded; may be given "
                          "again",
                          &args->runs)
          .File(),
      CommandOption::Text("--gpu-price", "PRICE",
                          "What an hour of one GPU costs, for runs without cost lines",
                          &args->gpu_price),
      CommandOption::Number("--gpus", "N", "GPUs held by attempts whose log does not say",
                            &args->gpus),
      CommandOption::Text("--target", "TARGET",
                          "The quality to compare at, such as loss<=2.5 or "
                          "accuracy>=0.9,window=3 (evaluations that must hold it) or "
                          "loss<=2.5,window=500steps",
                          &args->target),
      CommandOption::Text("--experiment", "NAME", "Only its runs", &args->experiment),
      CommandOption::Number("--hang-factor", "N",
                            "A failure after more than that many usual steps without progress "
                            "was a hang",
                            &args->hang_factor),
      CommandOption::Arguments("FILE", "More logs", &args->files).File()};
  command.run = [args](Context& context) { return RunTraining(context, *args); };
  return command;
}

}  // namespace plimsoll
