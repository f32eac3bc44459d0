// Kueue's Workload objects as jobs: pod sets, requests, and times from the conditions.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/limits.h"
#include "ingest/cluster/workload_builder.h"
#include "ingest/cluster/workload_formats.h"
#include "ingest/cluster/yaml_json.h"
#include "ingest/kubernetes/json_items.h"
#include "ingest/kubernetes/pod_requests.h"
#include "ingest/kubernetes/pod_template.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr std::int64_t kMib = 1'024 * 1'024;

// The conditions that say when something happened. Kubernetes keeps the last change of each.
struct Times {
  std::optional<Instant> reserved, admitted, ready, finished;
  JobEnd end = JobEnd::kUnknown;
};

Times ReadTimes(const FieldReader& object) {
  Times times;
  for (const FieldReader& condition : object.Elements("status.conditions")) {
    if (condition.Text("status") != "True") continue;
    const std::string type = condition.Text("type");
    const auto changed = condition.Time("lastTransitionTime");
    if (type == "QuotaReserved") times.reserved = changed;
    if (type == "Admitted") times.admitted = changed;
    if (type == "PodsReady") times.ready = changed;
    if (type != "Finished") continue;
    times.finished = changed;
    const std::string reason = condition.Text("reason");
    if (reason == "Failed" || reason == "JobFailed") times.end = JobEnd::kFailed;
    if (reason == "Succeeded" || reason == "JobFinished") times.end = JobEnd::kCompleted;
  }
  return times;
}

// One pod set of a workload.
struct PodSet {
  std::string name;
  std::int64_t pods = 0, pods_min = 0;
  std::int64_t micros = 0;  // of a card, a pod
  std::int64_t cpu_milli = 0, memory_mib = 0;
  TopologyMode mode = TopologyMode::kNone;
  std::string level, slice_level;
  std::int64_t slice_pods = 0;
};

void ReadTopology(const FieldReader& set, PodSet& into) {
  const std::string required = set.Text("topologyRequest.required");
  const std::string preferred = set.Text("topologyRequest.preferred");
  if (!required.empty())
    into.mode = TopologyMode::kRequired, into.level = required;
  else if (!preferred.empty())
    into.mode = TopologyMode::kPreferred, into.level = preferred;
  into.slice_level = set.Text("topologyRequest.podSetSliceRequiredTopology");
  into.slice_pods = set.Integer("topologyRequest.podSetSliceSize");
}

std::vector<PodSet> ReadPodSets(const FieldReader& object) {
  std::vector<PodSet> sets;
  for (const FieldReader& set : object.Elements("spec.podSets")) {
    PodSet& into = sets.emplace_back();
    into.name = set.Text("name");
    into.pods = set.Integer("count");
    into.pods_min = set.Integer("minCount");
    if (into.pods < 0 || into.pods > kJobGpusMax) {
      set.Fail("count", "is no count of pods");
      into.pods = 0;
    }
    if (into.pods_min <= 0 || into.pods_min > into.pods) into.pods_min = into.pods;
    const auto pod = set.Object("template");
    if (!pod) continue;
    into.micros = CardMicrosOf(*pod);
    const PodRequests requests = EffectiveRequests(*pod);
    const auto amount = [&](const char* name) {
      const auto at = requests.amounts.find(name);
      return at == requests.amounts.end() ? std::int64_t{0} : at->second;
    };
    into.cpu_milli = amount("cpu");
    into.memory_mib = amount("memory") / kMib;
    ReadTopology(set, into);
  }
  return sets;
}

bool SetGpus(std::int64_t micros, const FieldReader& object, TrainingJob& job) {
  constexpr std::int64_t kMicrosPerMilli = kMicrosPerCard / kMilliPerGpu;
  if (micros > 0 && micros < kMicrosPerCard) {
    job.shape.gpus = 1;
    job.shape.gpu_milli =
        static_cast<std::int32_t>((micros + kMicrosPerMilli - 1) / kMicrosPerMilli);
    return true;
  }
  const std::int64_t gpus = WholeCards(micros);
  if (gpus > kGpusPerNodeMax) {
    object.Fail("spec.podSets", "asks for more GPUs in one pod than a node may have");
    return false;
  }
  job.shape.gpus = static_cast<std::int32_t>(gpus);
  return true;
}

// The gang of a workload: its pod sets with GPUs, which must be of one size.
bool SetGang(const FieldReader& object, WorkloadBuilder& builder, TrainingJob& job) {
  const std::vector<PodSet> sets = ReadPodSets(object);
  const PodSet* main = nullptr;
  std::int64_t pods = 0, pods_min = 0;
  for (const PodSet& set : sets) {
    if (set.pods == 0) continue;
    if (main == nullptr || (main->micros == 0 && set.micros > 0)) {
      main = &set;
      pods = pods_min = 0;
    }
    if (set.micros == 0 && main->micros > 0) {
      builder.Note("pods without GPUs beside others with them (launchers) are not counted");
    } else if (set.micros != main->micros) {
      object.Fail("spec.podSets", "has pods of different GPUs ('" + main->name + "', '" + set.name +
                                      "'); a gang has pods of one size");
      return false;
    } else {
      pods += set.pods;
      pods_min += set.pods_min;
    }
  }
  if (main == nullptr || pods > kJobGpusMax) {
    object.Fail("spec.podSets", "has no pods, or more than a million");
    return false;
  }
  job.pods = static_cast<std::int32_t>(pods);
  job.pods_min = static_cast<std::int32_t>(pods_min);
  job.shape.cpu_milli = main->cpu_milli;
  job.shape.memory_mib = main->memory_mib;
  job.topology.mode = main->mode;
  if (main->mode != TopologyMode::kNone) job.topology.level = builder.Level(main->level);
  if (main->slice_pods > 0 && main->slice_pods <= pods && pods % main->slice_pods == 0 &&
      !main->slice_level.empty()) {
    job.topology.slice_pods = static_cast<std::int32_t>(main->slice_pods);
    job.topology.slice_level = builder.Level(main->slice_level);
  }
  return SetGpus(main->micros, object, job);
}

// The flavor that its admission gave its GPUs comes first; it may not be the only one it takes.
void SetFlavor(const FieldReader& object, WorkloadBuilder& builder, TrainingJob& job) {
  for (const FieldReader& set : object.Elements("status.admission.podSetAssignments")) {
    for (const auto& [resource, flavor] : set.Texts("flavors")) {
      if (!DeviceUnitOf(resource) || !job.flavor_order.empty()) continue;
      if (const auto index = builder.Flavor(flavor)) job.flavor_order.push_back(*index);
    }
  }
}

std::int64_t EvictionsOf(const FieldReader& object) {
  std::int64_t count = 0;
  for (const FieldReader& eviction : object.Elements("status.schedulingStats.evictions")) {
    count += std::clamp<std::int64_t>(eviction.Integer("count"), 0, kJobGpusMax);
  }
  return count;
}

struct Evicted {
  std::int64_t workloads = 0, times = 0;
};

// Why a workload's run is not known; "" if it is.
std::string LeftOut(const Times& times) {
  if (!times.reserved && !times.admitted) {
    return times.finished ? "never started" : "still waiting: its run time is not known";
  }
  return times.finished ? "" : "still running: its run time is not known";
}

std::optional<TrainingJob> ReadWorkloadObject(const FieldReader& object, WorkloadBuilder& builder,
                                              Evicted& evicted) {
  TrainingJob job;
  const auto created = object.Time("metadata.creationTimestamp");
  const Times times = ReadTimes(object);
  if (!created) object.Fail("metadata.creationTimestamp", "is missing");
  if (!SetGang(object, builder, job) || object.has_error()) return std::nullopt;
  if (const std::string why = LeftOut(times); !why.empty()) {
    builder.LeaveOut(why);
    return std::nullopt;
  }
  const Instant started =
      times.ready ? *times.ready : (times.admitted ? *times.admitted : *times.reserved);
  if (started < *created || *times.finished < started) {
    object.Fail("status.conditions", "are not in the order created, started, finished");
    return std::nullopt;
  }
  const std::string ns = object.Text("metadata.namespace");
  job.name = (ns.empty() ? "" : ns + "/") + object.Text("metadata.name");
  const std::string cluster_queue = object.Text("status.admission.clusterQueue");
  const std::string local_queue = object.Text("spec.queueName");
  job.queue = builder.Queue(!cluster_queue.empty() ? cluster_queue
                            : local_queue.empty()  ? "default"
                                                   : ns + "/" + local_queue);
  job.priority = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(object.Integer("spec.priority"), INT32_MIN, INT32_MAX));
  job.submitted = *created;
  job.run = Between(started, *times.finished);
  const std::int64_t limit = object.Integer("spec.maximumExecutionTimeSeconds");
  if (limit > 0 && limit <= INT32_MAX) job.time_limit = Seconds(limit);
  job.end = times.end;
  job.ended = times.finished;
  const std::int64_t evictions = EvictionsOf(object);
  // Of an evicted workload the conditions tell the last start; its first is not on record.
  if (evictions == 0) job.started = started;
  evicted.workloads += evictions > 0 ? 1 : 0;
  evicted.times += evictions;
  SetFlavor(object, builder, job);
  if (object.has_error()) return std::nullopt;
  return job;
}

class WorkloadObjects {
 public:
  explicit WorkloadObjects(WorkloadBuilder& builder) : builder_(builder) {}

  void Take(const std::string& path, const json& object) {
    FieldError error;
    const FieldReader reader(object, path, error);
    if (reader.Text("kind") != "Workload") return;
    std::optional<TrainingJob> job = ReadWorkloadObject(reader, builder_, evicted_);
    if (!error.reason.empty()) {
      Refuse(error.path, error.reason, object.dump(-1, ' ', true, json::error_handler_t::replace));
    } else if (job) {
      builder_.Add(*std::move(job));
    }
  }

  void TakeAll(const json& document) {
    if (!document.is_object()) return Refuse("", "is no object", "");
    const auto items = document.find("items");
    if (items == document.end() || !items->is_array()) return Take("", document);
    for (std::size_t i = 0; i < items->size(); ++i) {
      const std::string path = "items[" + std::to_string(i) + "]";
      if ((*items)[i].is_object())
        Take(path, (*items)[i]);
      else
        Refuse(path, "is no object", "");
    }
  }

  void Refuse(const std::string& path, const std::string& reason, const std::string& raw) {
    builder_.Refuse({0, path, reason, raw.substr(0, kRawBytesMax), {}});
  }

  Result<WorkloadReading> Finish() {
    if (evicted_.workloads > 0) {
      builder_.Note(std::to_string(evicted_.workloads) + " workloads were evicted " +
                    std::to_string(evicted_.times) +
                    " times; of those the last run alone is on record, and no first start");
    }
    return builder_.Finish();
  }

 private:
  WorkloadBuilder& builder_;
  Evicted evicted_;
};

}  // namespace

Result<WorkloadReading> ReadKueueWorkloads(const WorkloadSource& source) {
  WorkloadBuilder builder(source);
  WorkloadObjects objects(builder);
  const std::size_t first = source.text.find_first_not_of(" \t\r\n");
  const bool is_json =
      first != std::string_view::npos && (source.text[first] == '{' || source.text[first] == '[');
  if (!is_json) {
    PLIMSOLL_RETURN_IF_ERROR(ReadYamlDocuments(
        source.file, source.text, [&](const json& document) { objects.TakeAll(document); }));
    return objects.Finish();
  }
  std::istringstream in{std::string(source.text)};
  const JsonEnd end = ReadJsonItems(
      in, {[&](const JsonItem& item, const json& object) { objects.Take(item.path, object); },
           [&](const std::string& path, const std::string& reason) {
             objects.Refuse(path, reason, "");
           }});
  if (!end.error.empty()) {
    return Error{ErrorCode::kBadData,
                 source.file + ", line " + std::to_string(end.line) + ": " + end.error};
  }
  return objects.Finish();
}

}  // namespace plimsoll
