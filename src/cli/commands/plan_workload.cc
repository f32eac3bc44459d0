#include <memory>

#include "cli/context.h"
#include "cli/files.h"
#include "cli/open_ledger.h"
#include "cli/plan_commands.h"
#include "cli/training_facts.h"
#include "cli/workload_view.h"
#include "ingest/cluster/cluster_reader.h"
#include "ingest/cluster/wait_metrics.h"
#include "ingest/whole_file.h"

namespace plimsoll {
namespace {

struct Args {
  std::string jobs, format, cluster, throughputs, gpu_type = "v100", time_zone, waits, window;
  std::string by = "gpus";
  std::int64_t gpus_per_node = 8;
};

SummaryBy ByOf(const std::string& text) {
  if (text == "queue") return SummaryBy::kQueue;
  return text == "gpus" ? SummaryBy::kSize : SummaryBy::kQueueAndSize;
}

Result<WorkloadReading> ReadJobsFile(const Args& args) {
  PLIMSOLL_TRY(const std::string text, ReadWholeOrGzip(args.jobs));
  WorkloadSource source{args.jobs, text};
  if (!args.format.empty()) {
    PLIMSOLL_TRY(source.format, ParseWorkloadFormat(args.format));
  }
  std::string throughputs;
  if (!args.throughputs.empty()) {
    PLIMSOLL_TRY(throughputs, ReadWholeOrGzip(args.throughputs));
    source.throughputs = throughputs;
  }
  source.gpus_per_node = static_cast<std::int32_t>(args.gpus_per_node);
  source.time_zone = args.time_zone;
  source.gpu_type = args.gpu_type;
  return ReadWorkload(source);
}

Status ReadClusterFile(const Args& args, WorkloadReport& report) {
  PLIMSOLL_TRY(const std::string text, ReadWholeOrGzip(args.cluster));
  ClusterSource source{args.cluster, text};
  source.gpus_per_node = static_cast<std::int32_t>(args.gpus_per_node);
  PLIMSOLL_TRY(const ClusterReading cluster, ReadCluster(source));
  report.cluster_gpus = cluster.facts.gpus();
  for (const std::string& note : cluster.notes) report.reading.notes.push_back(note);
  return BindWorkload(args.jobs, cluster.facts, report.reading);
}

Status ReadDatabase(Context& context, const Args& args, WorkloadReport& report) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  PLIMSOLL_TRY(const Window window, LedgerWindow(context, ledger, args.window));
  PLIMSOLL_TRY(TrainingFacts facts, GatherTrainingFacts(context, window));
  report.reading.format = "database";
  report.reading.workload = std::move(facts.workload);
  report.reading.flavors = facts.cluster.flavors;
  report.reading.left_out = std::move(facts.left_out);
  report.reading.rows = static_cast<std::int64_t>(report.reading.workload.jobs.size());
  for (const auto& [why, count] : report.reading.left_out) report.reading.rows += count;
  report.cluster_gpus = facts.cluster.gpus();
  report.fit = FitWorkload(report.reading.workload, *WindowOf(report.reading.workload));
  return Ok();
}

Result<ExitCode> RunWorkload(Context& context, const Args& args) {
  if (args.gpus_per_node < 1 || args.gpus_per_node > kGpusPerNodeMax) {
    return Error{ErrorCode::kInvalidArgument, "--gpus-per-node must be from 1 to 64"};
  }
  if (!args.jobs.empty() && !args.window.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "--window is of the database: leave it out, or leave out " + args.jobs};
  }
  WorkloadReport report;
  report.by = ByOf(args.by);
  if (args.jobs.empty()) {
    PLIMSOLL_RETURN_IF_ERROR(ReadDatabase(context, args, report));
  } else {
    PLIMSOLL_TRY(report.reading, ReadJobsFile(args));
    if (!args.cluster.empty()) PLIMSOLL_RETURN_IF_ERROR(ReadClusterFile(args, report));
    report.fit = FitWorkload(report.reading.workload, *WindowOf(report.reading.workload));
  }
  if (!args.waits.empty()) {
    PLIMSOLL_TRY(const std::string text, ReadWholeOrGzip(args.waits));
    PLIMSOLL_TRY(const WaitMetrics metrics, ReadWaitMetrics(args.waits, text));
    report.waits = metrics.histograms;
    for (const std::string& note : metrics.notes) context.Warn(args.waits + ": " + note);
  }
  context.Print(WorkloadAnswer(report));
  return ExitCode::kDone;
}

}  // namespace

Command PlanWorkloadCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "workload";
  command.summary = "Show what jobs a log or the database holds, how they ran, waited and came";
  command.about =
      "Reads job logs of Slurm, Kueue, Philly, Helios, Acme, PAI, Gavel, Tiresias, SWF and Batsim, "
      "and jobs.csv; the format is told by content. Without a file it takes the jobs of the "
      "database.\n\n"
      "cs2 is the squared coefficient of variation of run times (1 is exponential), ks "
      "the distance of a lognormal from them, tail (Hill's index) below 2 a tail without variance, "
      "top_share what the longest hundredth of the jobs take of all time. p95_bound_s is "
      "above the 95th percentile of waits with 95 % confidence, whatever their distribution; it "
      "takes 59 waits.";
  command.example =
      "plimsoll plan workload jobs.csv --cluster cluster.yaml\n"
      "plimsoll plan workload jobs.psv --by queue --format json\n"
      "plimsoll plan workload --window 2026-11-16..2026-11-23";
  command.common = CommonSet::kFacts;
  command.options = {
      CommandOption::Text("--jobs-format", "NAME", "The format, where content cannot tell it",
                          &args->format)
          .OneOf(WorkloadFormatNames()),
      CommandOption::Text("--by", "KEYS", "Rows by GPUs of a job, by queue, or by both", &args->by)
          .OneOf({"gpus", "queue", "queue,gpus"}),
      CommandOption::Text("--cluster", "FILE", "Nodes that the jobs run on", &args->cluster).File(),
      CommandOption::Number("--gpus-per-node", "N",
                            "How a job's GPUs lie on nodes where a log only counts them",
                            &args->gpus_per_node),
      CommandOption::Text("--time-zone", "ZONE", "Zone of times without one, as in sacct's",
                          &args->time_zone),
      CommandOption::Text("--throughputs", "FILE", "Gavel's steps a second by job type",
                          &args->throughputs)
          .File(),
      CommandOption::Text("--gpu-type", "NAME", "Which of Gavel's GPU types the jobs run on",
                          &args->gpu_type),
      CommandOption::Text("--waits", "FILE", "Metrics with histograms of waits", &args->waits)
          .File(),
      CommandOption::Text("--window,-w", "WINDOW", "Of the database; all that is loaded if empty",
                          &args->window),
      CommandOption::Argument("JOBS", "A log of jobs; none is the database", &args->jobs).File()};
  command.run = [args](Context& context) { return RunWorkload(context, *args); };
  return command;
}

}  // namespace plimsoll
