#include "cli/training_run.h"

#include "capacity/sizing/grid_answer.h"
#include "capacity/sizing/outcome_difference.h"
#include "cli/files.h"
#include "cli/training_bounds.h"
#include "cli/training_change_view.h"
#include "cli/training_grid_view.h"
#include "cli/training_page.h"
#include "cli/training_plan.h"
#include "cli/training_shard_file.h"
#include "report/render.h"

namespace plimsoll {
namespace {

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

std::string Joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

// All that one answer is made of.
struct Question {
  const TrainingArgs* args = nullptr;
  const TrainingModel* model = nullptr;
  const FleetSimulator* simulator = nullptr;
  TrainingPlan plan;
  std::vector<SimulatedFleet> fleets;  // by point
  TrainingScope scope;
};

Status BuildFleets(Question& question) {
  for (const TrainingSettings& point : question.plan.points) {
    PLIMSOLL_TRY(SimulatedFleet fleet, FleetOf(*question.model, point));
    fleet.options.probes = ProbesOf(question.plan.targets, question.plan.epochs);
    PLIMSOLL_RETURN_IF_ERROR(
        question.simulator->check(fleet.cluster, question.plan.workload, fleet.options));
    question.fleets.push_back(std::move(fleet));
  }
  return Ok();
}

Evaluator EvaluatorOf(const Question& question) {
  QueueQuestion asked;
  asked.fleets = question.fleets;
  asked.targets = question.plan.targets;
  asked.seed = question.plan.seed;
  asked.simulate = question.simulator->run;
  const TrainingPlan* const plan = &question.plan;
  asked.workload = [plan](std::size_t point, std::uint64_t replication) {
    return WorkloadOf(*plan, plan->points[point], replication);
  };
  return EvaluateQueue(std::move(asked));
}

Result<std::vector<ReplicationOutcome>> Merged(const Question& question) {
  PLIMSOLL_TRY(const std::vector<std::string> files, ExpandFiles(question.args->merge));
  std::vector<NamedShard> shards;
  for (const std::string& file : files) {
    PLIMSOLL_TRY(const std::string text, ReadWholeFile(file));
    PLIMSOLL_TRY(Shard shard, ReadShardJson(file, text));
    shards.push_back({file, std::move(shard)});
  }
  return MergeShards(question.plan.runs, shards);
}

RunningOptions RunningOf(Context& context, const TrainingArgs& args) {
  return {static_cast<unsigned>(args.threads), context.progress()};
}

Result<ExitCode> WriteShard(Context& context, const Question& question) {
  const TrainingArgs& args = *question.args;
  PLIMSOLL_TRY(const ShardIndex shard, ParseShard(args.shard));
  const std::string text = ShardJson(
      RunShard(question.plan.runs, shard, EvaluatorOf(question), RunningOf(context, args)));
  if (args.output.empty()) {
    context.Write(text);
    return ExitCode::kDone;
  }
  PLIMSOLL_RETURN_IF_ERROR(WriteWholeFile(args.output, text));
  context.Say("Wrote shard " + args.shard + " to " + args.output);
  return ExitCode::kDone;
}

std::int64_t GpusOf(const Cluster& cluster) { return cluster.gpu_milli_total() / kMilliPerGpu; }

// A month of a point's fleet; null if a group with units has no price.
std::optional<Money> CostOf(const Question& question, std::size_t point) {
  std::vector<FleetAxis> axes = question.model->groups;
  for (std::size_t i = 0; i < axes.size(); ++i)
    axes[i].units = {question.plan.points[point].units[i]};
  const Result<FleetGrid> grid = FleetGrid::Of(std::move(axes));
  return grid ? grid->CostPerMonth(0) : std::nullopt;
}

TrainingRuns RunsOf(const Question& question, std::span<const ReplicationOutcome> outcomes,
                    std::size_t point) {
  const auto count = static_cast<std::size_t>(question.plan.runs.replications);
  const Cluster& cluster = question.fleets[point].cluster;
  std::vector<bool> never, no_quota;
  for (const GangTarget& gang : question.plan.targets.gangs) {
    const TrainingJob& job = gang.job;
    std::optional<std::uint32_t> level;
    if (job.topology.mode == TopologyMode::kRequired) level = job.topology.level;
    never.push_back(GangServers(cluster, job.shape, job.pods, level) == 0);
    const auto& quota = question.fleets[point].options.quota;
    no_quota.push_back(quota && !QuotaAllows(*quota, cluster, job));
  }
  return {question.scope,
          GpusOf(cluster),
          CostOf(question, point),
          outcomes.subspan(point * count, count),
          FormulaRows(question.plan.targets, question.plan.workload, cluster),
          never,
          no_quota};
}

// The jobs as they came, once, beside what they waited; of the first fleet.
std::vector<RecordRow> RecordOf(const Question& question) {
  const TrainingWorkload& history = question.model->history;
  if (!question.model->is_on_record || history.jobs.empty()) return {};
  const Instant begin = history.jobs.front().submitted;
  const Duration window = Between(begin, history.jobs.back().submitted);
  QueueOptions options = question.fleets[0].options;
  options.probes.clear();
  options.warm_up = Duration();
  const QueueOutcome run = question.simulator->run(question.fleets[0].cluster, history, options,
                                                   {question.plan.seed, 0});
  return CompareWithRecord(question.plan.targets, history, run, begin + Millis(window.base() / 10));
}

// The page of one point; its first replication is simulated again to be drawn.
Status WritePage(Context& context, const Question& question, const TrainingRuns& runs,
                 std::size_t point) {
  const SimulatedFleet& fleet = question.fleets[point];
  const TrainingWorkload workload = WorkloadOf(question.plan, question.plan.points[point], 0);
  QueueOptions options = fleet.options;
  const Instant begin = workload.jobs.front().submitted;
  options.timeline_step = TimelineStepOf({begin, workload.jobs.back().submitted});
  options.probes.clear();
  const QueueOutcome run =
      question.simulator->run(fleet.cluster, workload, options, {question.plan.seed, 0});
  const ReportDocument page =
      TrainingPage(runs, {&fleet.cluster, &run, question.model->history.queues});
  PLIMSOLL_RETURN_IF_ERROR(WriteWholeFile(question.args->html, RenderHtml(page)));
  context.Say("Wrote " + question.args->html);
  return Ok();
}

Status AnswerGridQuestion(Context& context, const Question& question,
                          std::span<const ReplicationOutcome> outcomes, std::size_t& point) {
  const TrainingPlan& plan = question.plan;
  std::vector<CertainBound> certain;
  if (plan.arrivals == Arrivals::kReplay) {
    certain = CertainBounds(*question.model, plan.points[0], plan.targets, plan.workload);
  }
  const GridAnswer answer = AnswerGrid(plan.grid, plan.targets, outcomes, certain);
  point = answer.best.value_or(plan.grid.size() - 1);
  const std::vector<FormulaRow> formulas =
      FormulaRows(plan.targets, plan.workload, question.fleets[point].cluster);
  context.Print(GridAnswerOf(
      {question.scope, &plan.grid, &answer, BoundRows(*question.model, plan.workload), formulas}));
  return Ok();
}

Answer ChangeOf(const Question& question, std::span<const ReplicationOutcome> outcomes) {
  const auto count = static_cast<std::size_t>(question.plan.runs.replications);
  return ChangeAnswer(
      {question.scope, Joined(question.args->what_if),
       CompareOutcomes(question.plan.targets, outcomes.first(count), outcomes.subspan(count)),
       CostOf(question, 0), CostOf(question, 1)});
}

Status CheckOptions(const TrainingArgs& args) {
  if (!args.shard.empty() && !args.merge.empty()) {
    return Wrong("--shard and --merge exclude each other: run the shards, then merge them");
  }
  if (!args.output.empty() && args.shard.empty()) return Wrong("--output is for --shard");
  if (!args.html.empty() && !args.shard.empty()) {
    return Wrong("--html is for the whole answer: give it with --merge");
  }
  return Ok();
}

}  // namespace

std::vector<CommandOption> TrainingOptions(TrainingArgs& args) {
  return {
      CommandOption::Text("--targets", "FILE",
                          "What is asked: classes, gangs, deadlines (docs/formats/targets.md)",
                          &args.targets)
          .File(),
      CommandOption::List("--probe", "GANG",
                          "P(a gang starts): gpus=32,domain=rack,within=4h, maybe probability=90%",
                          &args.probes),
      CommandOption::List("--grid", "GROUP=UNITS",
                          "How many: fleets to compare, as h100=4..16/2 or spot=0,8", &args.grid),
      CommandOption::List("--what-if", "CHANGE",
                          "Compare with a change: GROUP=UNITS, discipline=easy, failures=2.34",
                          &args.what_if),
      CommandOption::List("--set", "CHANGE", "The same, for all that is simulated", &args.settings),
      CommandOption::Text(
          "--arrivals", "HOW",
          "Jobs as on record, days drawn from them, or drawn from what fits them; days from "
          "a week on",
          &args.arrivals)
          .OneOf({"replay", "resample", "fit"}),
      CommandOption::Text("--load", "PERCENT", "The same jobs coming faster: 120%", &args.load),
      CommandOption::Text("--warm-up", "LENGTH",
                          "Left out at the start; a tenth of drawn histories", &args.warm_up),
      CommandOption::Number("--replications", "N", "Runs of each fleet", &args.replications),
      CommandOption::Number("--probes", "N", "Times a run at which a gang is tried", &args.epochs),
      CommandOption::Number("--threads", "N", "0 is one a core; the answer is the same",
                            &args.threads),
      CommandOption::Text("--shard", "I/N", "Simulate a part only, for --merge", &args.shard),
      CommandOption::Text("--output", "FILE", "Where --shard writes its runs; else stdout",
                          &args.output)
          .File(),
      CommandOption::List("--merge", "FILE", "Shards in place of simulating, as 'shard-*.json'",
                          &args.merge)
          .File(),
      CommandOption::Text("--html", "FILE", "Also write a page with charts", &args.html).File()};
}

bool AsksForRun(const TrainingArgs& args) {
  return !args.targets.empty() || !args.probes.empty() || !args.grid.empty() ||
         !args.what_if.empty() || !args.shard.empty() || !args.merge.empty() || !args.html.empty();
}

Result<ExitCode> RunTraining(Context& context, const TrainingArgs& args, const TrainingModel& model,
                             const FleetSimulator& simulator) {
  PLIMSOLL_RETURN_IF_ERROR(CheckOptions(args));
  PLIMSOLL_TRY(TrainingPlan plan, PlanOf(args, model));
  Question question{&args, &model, &simulator, std::move(plan), {}, {}};
  PLIMSOLL_TRY(const Config* const config, context.config());
  const TrainingPlan& asked = question.plan;
  question.scope = {&asked.targets,
                    asked.runs.replications,
                    args.seed,
                    asked.runs.question,
                    model.currency.empty() ? config->currency : model.currency,
                    context.options().format == "table"};
  PLIMSOLL_RETURN_IF_ERROR(BuildFleets(question));
  if (!args.shard.empty()) return WriteShard(context, question);
  std::vector<ReplicationOutcome> outcomes;
  if (args.merge.empty()) {
    outcomes =
        RunShard(asked.runs, {1, 1}, EvaluatorOf(question), RunningOf(context, args)).outcomes;
  } else {
    PLIMSOLL_TRY(outcomes, Merged(question));
  }
  std::size_t point = 0;
  if (asked.ask == TrainingAsk::kGrid) {
    PLIMSOLL_RETURN_IF_ERROR(AnswerGridQuestion(context, question, outcomes, point));
  } else if (asked.ask == TrainingAsk::kChange) {
    context.Print(ChangeOf(question, outcomes));
    point = 1;
  } else {
    TrainingRuns runs = RunsOf(question, outcomes, 0);
    runs.record = RecordOf(question);
    runs.fit = asked.fit.get();
    context.Print(asked.ask == TrainingAsk::kProbe ? ProbeAnswerOf(runs) : RunsAnswer(runs));
  }
  if (args.html.empty()) return ExitCode::kDone;
  PLIMSOLL_RETURN_IF_ERROR(WritePage(context, question, RunsOf(question, outcomes, point), point));
  return ExitCode::kDone;
}

}  // namespace plimsoll
