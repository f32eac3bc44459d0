// Our own jobs: a table or a list of objects with the same names (docs/formats/jobs-csv.md).
#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "ingest/cluster/workload_builder.h"
#include "ingest/cluster/workload_formats.h"
#include "ingest/kubernetes/kubernetes_quantity.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr std::int64_t kMib = 1'024 * 1'024;

const std::vector<std::string>& Columns() {
  static const auto* const columns = new std::vector<std::string>{"name",
                                                                  "user",
                                                                  "queue",
                                                                  "submit",
                                                                  "pods",
                                                                  "pods_min",
                                                                  "gpus",
                                                                  "gpu_milli",
                                                                  "cpu",
                                                                  "memory",
                                                                  "flavors",
                                                                  "priority",
                                                                  "run",
                                                                  "time_limit",
                                                                  "deadline",
                                                                  "preemptible",
                                                                  "topology",
                                                                  "slice_pods",
                                                                  "slice_level",
                                                                  "checkpoint_interval",
                                                                  "checkpoint_write",
                                                                  "restart",
                                                                  "warm_up",
                                                                  "started",
                                                                  "ended",
                                                                  "end"};
  return *columns;
}

// "8", "7500m" and "64Gi" as Kubernetes writes them, times `scale`.
std::int64_t Quantity(RowFields& row, const char* name, std::int64_t scale) {
  const std::string_view text = row.Text(name);
  if (text.empty()) return 0;
  const auto quantity = ParseKubernetesQuantity(text, scale);
  if (quantity) return *quantity;
  row.Fail(name, "is no quantity such as 8, 7500m or 64Gi");
  return 0;
}

void ReadShape(RowFields& row, TrainingJob& job) {
  job.pods = static_cast<std::int32_t>(row.Whole("pods", {1, kJobGpusMax}).value_or(1));
  job.pods_min = static_cast<std::int32_t>(row.Whole("pods_min", {1, job.pods}).value_or(job.pods));
  job.shape.gpus = static_cast<std::int32_t>(row.RequiredWhole("gpus", {0, kGpusPerNodeMax}));
  job.shape.gpu_milli =
      static_cast<std::int32_t>(row.Whole("gpu_milli", {1, kMilliPerGpu}).value_or(kMilliPerGpu));
  if (job.shape.gpu_milli < kMilliPerGpu && job.shape.gpus != 1) {
    row.Fail("gpu_milli", "below 1000 is a part of one GPU: gpus must be 1");
  }
  job.shape.cpu_milli = Quantity(row, "cpu", 1'000);
  job.shape.memory_mib = (Quantity(row, "memory", 1) + kMib - 1) / kMib;
}

// "H100|A100": either will do, the first is preferred.
void ReadFlavors(RowFields& row, WorkloadBuilder& builder, TrainingJob& job) {
  std::string_view text = row.Text("flavors");
  if (text.empty()) return;
  job.shape.flavors = 0;
  while (!text.empty()) {
    const std::string_view name = text.substr(0, text.find('|'));
    text.remove_prefix(std::min(text.size(), name.size() + 1));
    const auto flavor = name.empty() ? std::nullopt : builder.Flavor(name);
    if (!flavor) {
      row.Fail("flavors", "is no list such as H100|A100 of at most 64 different flavors");
      return;
    }
    if (Accepts(job.shape.flavors, *flavor)) continue;
    job.shape.flavors |= FlavorSet{1} << *flavor;
    job.flavor_order.push_back(*flavor);
  }
}

// "required:rack" or "preferred:block".
void ReadTopology(RowFields& row, WorkloadBuilder& builder, TrainingJob& job) {
  const std::string_view text = row.Text("topology");
  const std::size_t colon = text.find(':');
  const std::string_view mode = text.substr(0, colon);
  if (!text.empty()) {
    if (colon == std::string_view::npos || colon + 1 == text.size() ||
        (mode != "required" && mode != "preferred")) {
      row.Fail("topology", "is neither required:LEVEL nor preferred:LEVEL");
      return;
    }
    job.topology.mode = mode == "required" ? TopologyMode::kRequired : TopologyMode::kPreferred;
    job.topology.level = builder.Level(text.substr(colon + 1));
  }
  job.topology.slice_pods =
      static_cast<std::int32_t>(row.Whole("slice_pods", {1, job.pods}).value_or(0));
  const std::string_view slice_level = row.Text("slice_level");
  if ((job.topology.slice_pods > 0) != !slice_level.empty()) {
    row.Fail("slice_level", "and slice_pods go together: give both or none");
  } else if (job.topology.slice_pods > 0) {
    if (job.pods % job.topology.slice_pods != 0) {
      row.Fail("slice_pods", "does not divide the number of pods");
    }
    job.topology.slice_level = builder.Level(slice_level);
  }
}

void ReadTimes(RowFields& row, TrainingJob& job) {
  job.submitted = row.Moment("submit").value_or(Instant());
  if (row.Text("submit").empty()) row.Fail("submit", "is missing");
  job.time_limit = row.Length("time_limit");
  job.deadline = row.Moment("deadline");
  job.started = row.Moment("started");
  job.ended = row.Moment("ended");
  if (job.deadline && *job.deadline < job.submitted) row.Fail("deadline", "is before submit");
  if (job.started && *job.started < job.submitted) row.Fail("started", "is before submit");
  if (job.ended && (!job.started || *job.ended < *job.started)) {
    row.Fail("ended", "is before started, or started is missing");
  }
}

void ReadCheckpoint(RowFields& row, TrainingJob& job) {
  job.checkpoint.interval = row.Length("checkpoint_interval");
  if (job.checkpoint.interval && *job.checkpoint.interval == Duration()) {
    row.Fail("checkpoint_interval", "must be longer than 0; leave it empty for none");
  }
  job.checkpoint.write = row.Length("checkpoint_write").value_or(Duration());
  job.checkpoint.restart = row.Length("restart").value_or(Duration());
  job.checkpoint.warm_up = row.Length("warm_up").value_or(Duration());
}

std::optional<TrainingJob> ReadJobRow(RowFields& row, WorkloadBuilder& builder) {
  TrainingJob job;
  ReadShape(row, job);
  const std::optional<Duration> run = row.Length("run");
  row.WouldTake(GpuMilli(job) / kMilliPerGpu, run);
  if (!run && !row.failed()) row.Fail("run", "is missing");
  ReadFlavors(row, builder, job);
  ReadTopology(row, builder, job);
  ReadTimes(row, job);
  ReadCheckpoint(row, job);
  job.priority =
      static_cast<std::int32_t>(row.Whole("priority", {INT32_MIN, INT32_MAX}).value_or(0));
  job.preemptible = row.Flag("preemptible", true);
  const std::string_view end = row.Text("end");
  const std::optional<JobEnd> known_end = EndOfState(end);
  if (!end.empty() && !known_end) {
    row.Fail("end", "is none of completed, failed, cancelled, timeout");
  }
  if (row.failed()) return std::nullopt;
  job.run = *run;
  job.end = known_end.value_or(JobEnd::kUnknown);
  job.name = row.Text("name");
  job.user = row.Text("user");
  const std::string_view queue = row.Text("queue");
  job.queue = builder.Queue(queue.empty() ? "default" : queue);
  return job;
}

// A value of JSON as the text that a table would have; false for one that a table cannot.
bool TextOf(const json& value, std::string& text) {
  text.clear();
  if (value.is_string()) {
    text = value.get<std::string>();
  } else if (value.is_array()) {
    for (const json& item : value) {
      if (!item.is_string()) return false;
      text += (text.empty() ? "" : "|") + item.get<std::string>();
    }
  } else if (value.is_primitive()) {
    text = value.is_null() ? "" : value.dump();
  } else {
    return false;
  }
  return true;
}

struct JsonRow {
  std::map<std::string, std::string, std::less<>> texts;
  std::string problem;  // "" if it is one
};

JsonRow RowOf(const json& object) {
  JsonRow row;
  if (!object.is_object()) return {{}, "is no object"};
  for (const auto& [key, value] : object.items()) {
    if (std::find(Columns().begin(), Columns().end(), key) == Columns().end()) {
      row.problem = "has a key '" + key.substr(0, 40) + "' that no job has";
    } else if (!TextOf(value, row.texts[key])) {
      row.problem = "has an object or a list of other things than texts at '" + key + "'";
    }
  }
  return row;
}

}  // namespace

Result<WorkloadReading> ReadJobsCsv(const WorkloadSource& source) {
  return ReadJobTable(source, {{"submit", "gpus", "run"}, {}, Columns()}, ReadJobRow);
}

Result<WorkloadReading> ReadJobsJson(const WorkloadSource& source) {
  const json document = json::parse(source.text, nullptr, false);
  if (document.is_discarded()) {
    return Error{ErrorCode::kBadData, source.file + " is no JSON; see docs/formats/jobs-csv.md"};
  }
  const bool wrapped = document.is_object() && document.contains("jobs");
  const json& jobs = wrapped ? document["jobs"] : document;
  if (!jobs.is_array()) {
    return Error{ErrorCode::kBadData,
                 source.file + " must be a list of jobs, or an object with a list `jobs`"};
  }
  WorkloadBuilder builder(source);
  JsonRow texts;
  RowFields row([&](std::string_view name) -> std::string_view {
    const auto at = texts.texts.find(name);
    return at == texts.texts.end() ? std::string_view() : at->second;
  });
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    texts = RowOf(jobs[i]);
    row.Reset();
    std::optional<TrainingJob> job;
    if (texts.problem.empty()) job = ReadJobRow(row, builder);
    if (!texts.problem.empty()) row.Fail("", texts.problem);
    if (row.failed()) {
      RefusedJob refused =
          row.Refusal(0, jobs[i].dump(-1, ' ', true, json::error_handler_t::replace));
      refused.field =
          "jobs[" + std::to_string(i) + "]" + (refused.field.empty() ? "" : ".") + refused.field;
      builder.Refuse(std::move(refused));
    } else if (job) {
      builder.Add(*std::move(job));
    }
  }
  return builder.Finish();
}

}  // namespace plimsoll
