#include "cli/training_files.h"

#include <algorithm>

#include "base/limits.h"
#include "cli/files.h"
#include "cli/training_fleet.h"
#include "cli/training_store.h"
#include "config/window.h"
#include "ingest/cluster/cluster_reader.h"

namespace plimsoll {
namespace {

// What was not taken is told with its size, the first rows in full.
void TellRefused(Context& context, const std::string& file, const WorkloadReading& reading) {
  if (!reading.refused.empty()) {
    context.Warn(file + ": " + std::to_string(reading.refused.size()) + " of " +
                 std::to_string(reading.rows) + " jobs are refused, with at least " +
                 ToDecimalHours(reading.refused_gpu_time()) + " GPU-hours");
  }
  const std::size_t shown = std::min(reading.refused.size(), kRejectionsShownMax);
  for (std::size_t i = 0; i < shown; ++i) {
    context.Warn(RefusalText(file, reading.refused[i]));
  }
  for (const auto& [why, count] : reading.left_out) {
    context.Say(file + ": " + std::to_string(count) + " jobs are left out: " + why);
  }
  for (const std::string& note : reading.notes) context.Say(file + ": " + note);
}

// Gives the model the quotas, if there are any.
Status ReadQuota(Context& context, const TrainingFileArgs& args, TrainingModel& model) {
  if (args.quota.empty()) return Ok();
  PLIMSOLL_TRY(const std::vector<std::string> names, ExpandFiles(args.quota));
  std::vector<KueueFile> files;
  for (const std::string& name : names) {
    PLIMSOLL_TRY(std::string text, ReadWholeFile(name));
    model.files.emplace_back("quota", text);
    files.emplace_back(name, std::move(text));
  }
  PLIMSOLL_TRY(const KueueObjects objects, ReadKueueObjects(files));
  const std::string& shown = names.front();
  PLIMSOLL_TRY(const std::vector<std::string> notes, UseQuota(shown, objects, model));
  for (const std::string& note : notes) context.Say(shown + ": " + note);
  return Ok();
}

}  // namespace

std::vector<CommandOption> TrainingFileOptions(TrainingFileArgs& args) {
  return {CommandOption::Text("--cluster", "FILE",
                              "Groups of nodes, topology, prices, failures "
                              "(docs/formats/cluster-yaml.md), or a trace's cluster",
                              &args.cluster)
              .File(),
          CommandOption::Text("--jobs", "FILE",
                              "Jobs that were or will be (docs/formats/jobs-csv.md), or a trace",
                              &args.jobs)
              .File(),
          CommandOption::Text("--window,-w", "WINDOW",
                              std::string("Without files: jobs and nodes of the database; the "
                                          "last 30 days, or ") +
                                  kWindowForms,
                              &args.window),
          CommandOption::List("--quota", "FILE",
                              "Kueue's ClusterQueues and what belongs to them "
                              "(docs/formats/kueue.md): who may use how many GPUs",
                              &args.quota)
              .File(),
          CommandOption::Text("--cluster-format", "FORMAT", "If not told by its content",
                              &args.cluster_format)
              .OneOf(ClusterFormatNames()),
          CommandOption::Text("--jobs-format", "FORMAT", "If not told by its content",
                              &args.jobs_format)
              .OneOf(WorkloadFormatNames())};
}

Result<TrainingModel> ReadTrainingModel(Context& context, const TrainingFileArgs& args) {
  if (args.cluster.empty() && args.jobs.empty()) {
    PLIMSOLL_TRY(TrainingModel model, StoredTrainingModel(context, args.window));
    PLIMSOLL_RETURN_IF_ERROR(ReadQuota(context, args, model));
    return model;
  }
  if (!args.window.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "--window is for the jobs of the database, not --cluster and --jobs"};
  }
  if (args.cluster.empty() || args.jobs.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "give --cluster FILE, the nodes, and --jobs FILE, what runs on them"};
  }
  PLIMSOLL_TRY(const std::string cluster, ReadWholeFile(args.cluster));
  ClusterSource nodes{args.cluster, cluster};
  if (!args.cluster_format.empty()) {
    PLIMSOLL_TRY(nodes.format, ParseClusterFormat(args.cluster_format));
  }
  PLIMSOLL_TRY(ClusterReading reading, ReadCluster(nodes));
  for (const std::string& note : reading.notes) context.Say(args.cluster + ": " + note);
  PLIMSOLL_TRY(const std::string jobs, ReadWholeFile(args.jobs));
  WorkloadSource source{args.jobs, jobs};
  for (const NodeSpec& node : reading.facts.nodes) {
    source.gpus_per_node = std::max(source.gpus_per_node, node.gpus);
  }
  if (!args.jobs_format.empty()) {
    PLIMSOLL_TRY(source.format, ParseWorkloadFormat(args.jobs_format));
  }
  PLIMSOLL_TRY(WorkloadReading workload, ReadWorkload(source));
  TellRefused(context, args.jobs, workload);
  PLIMSOLL_RETURN_IF_ERROR(BindWorkload(args.jobs, reading.facts, workload));
  PLIMSOLL_TRY(TrainingModel model, ModelOf(reading.facts, std::move(workload.workload),
                                            {{"cluster", cluster},
                                             {"jobs", jobs},
                                             {"cluster format", reading.format},
                                             {"jobs format", workload.format}}));
  PLIMSOLL_RETURN_IF_ERROR(ReadQuota(context, args, model));
  return model;
}

}  // namespace plimsoll
