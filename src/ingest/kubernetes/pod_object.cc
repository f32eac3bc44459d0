#include "ingest/kubernetes/pod_object.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "ingest/kubernetes/pod_requests.h"

namespace plimsoll {
namespace {

struct Condition {
  std::string status, reason;
  std::optional<Instant> changed;
};

std::map<std::string, Condition> ConditionsOf(const FieldReader& object) {
  std::map<std::string, Condition> conditions;
  for (const FieldReader& condition : object.Elements("status.conditions")) {
    conditions[condition.Text("type")] = {condition.Text("status"), condition.Text("reason"),
                                          condition.Time("lastTransitionTime")};
  }
  return conditions;
}

void KeepEarliest(std::optional<Instant>& kept, std::optional<Instant> time) {
  if (time && (!kept || *time < *kept)) kept = time;
}
void KeepLatest(std::optional<Instant>& kept, std::optional<Instant> time) {
  if (time && (!kept || *time > *kept)) kept = time;
}

std::optional<Instant> ScheduledAt(const FieldReader& object,
                                   const std::map<std::string, Condition>& conditions) {
  const auto scheduled = conditions.find("PodScheduled");
  if (scheduled != conditions.end() && scheduled->second.status == "True" &&
      scheduled->second.changed) {
    return scheduled->second.changed;
  }
  if (const auto start = object.Time("status.startTime")) return start;
  return object.Time("metadata.creationTimestamp");
}

// The first start that the status still knows: a restart moves the current one forward.
std::optional<Instant> FirstStart(const FieldReader& container) {
  std::optional<Instant> start = container.Time("state.running.startedAt");
  KeepEarliest(start, container.Time("state.terminated.startedAt"));
  KeepEarliest(start, container.Time("lastState.terminated.startedAt"));
  return start;
}

std::optional<Instant> ReadyAt(const FieldReader& object) {
  const std::size_t containers = object.Elements("spec.containers").size();
  const std::vector<FieldReader> statuses = object.Elements("status.containerStatuses");
  if (statuses.empty() || statuses.size() < containers) return std::nullopt;
  std::optional<Instant> ready;
  for (const FieldReader& status : statuses) {
    const std::optional<Instant> start = FirstStart(status);
    if (!start) return std::nullopt;
    KeepLatest(ready, start);
  }
  return ready;
}

// What the containers say of the pod's end.
struct Terminations {
  std::optional<Instant> finished;
  bool out_of_memory = false;
};

Terminations TerminationsOf(const FieldReader& object) {
  Terminations ends;
  for (const char* list : {"status.containerStatuses", "status.initContainerStatuses"}) {
    for (const FieldReader& status : object.Elements(list)) {
      for (const char* state : {"state.terminated", "lastState.terminated"}) {
        const auto terminated = status.Object(state);
        if (!terminated) continue;
        KeepLatest(ends.finished, terminated->Time("finishedAt"));
        if (state[0] == 's' && terminated->Text("reason") == "OOMKilled") {
          ends.out_of_memory = true;
        }
      }
    }
  }
  return ends;
}

// Why the pod was taken away, if something took it: status.reason, else the conditions that
// say so before the pod is gone.
std::string DisruptionOf(const FieldReader& object,
                         const std::map<std::string, Condition>& conditions) {
  const std::string reason = object.Text("status.reason");
  if (reason == "Evicted") return "Evicted";
  if (reason == "Preempted" || reason == "Preempting") return "Preempted";
  if (reason == "DeadlineExceeded") return "Timeout";
  if (reason == "NodeLost" || reason == "NodeShutdown" || reason == "Shutdown" ||
      reason == "Terminated") {
    return "NodeLost";
  }
  for (const char* type : {"DisruptionTarget", "TerminationTarget"}) {
    const auto target = conditions.find(type);
    if (target == conditions.end() || target->second.status != "True") continue;
    const std::string& why = target->second.reason;
    if (why.find("Preempt") != std::string::npos) return "Preempted";
    if (why == "DeletionByPodGC" || why == "DeletionByTaintManager") return "NodeLost";
    return "Evicted";
  }
  return "";
}

void ReadEnd(const FieldReader& object, const std::map<std::string, Condition>& conditions,
             PodRecord& pod) {
  const std::string phase = object.Text("status.phase");
  const std::optional<Instant> deleted = object.Time("metadata.deletionTimestamp");
  const bool terminal = phase == "Succeeded" || phase == "Failed";
  if (!terminal && !deleted) return;
  const Terminations ends = TerminationsOf(object);
  const std::string disruption = DisruptionOf(object, conditions);
  if (!terminal) {
    pod.ended = deleted;
    pod.end_reason = disruption.empty() ? "Cancelled" : disruption;
    return;
  }
  pod.ended = ends.finished;
  if (!pod.ended) {
    for (const auto& [type, condition] : conditions) KeepLatest(pod.ended, condition.changed);
  }
  if (!pod.ended) pod.ended = deleted;
  if (!pod.ended) pod.ended = object.Time("status.startTime");
  if (!pod.ended) pod.ended = object.Time("metadata.creationTimestamp");
  if (!disruption.empty()) {
    pod.end_reason = disruption;
  } else if (phase == "Succeeded") {
    pod.end_reason = "Completed";
  } else {
    pod.end_reason = ends.out_of_memory ? "OutOfMemory" : "Failed";
  }
}

std::string QueueOf(const std::map<std::string, std::string>& labels) {
  for (const char* key : {"kueue.x-k8s.io/queue-name", "kai.scheduler/queue"}) {
    if (const auto queue = labels.find(key); queue != labels.end()) return queue->second;
  }
  return "";
}

// resourceVersion is an opaque text, but in practice a growing number.
bool IsLater(const std::string& a, const std::string& b) {
  return std::pair(a.size(), a) > std::pair(b.size(), b);
}

auto Completeness(const PodObject& object) {
  const PodRecord& pod = object.pod;
  return std::tie(pod.ended, pod.ready, pod.scheduled, pod.node, pod.labels, pod.requests,
                  pod.end_reason);
}

}  // namespace

PodObject ReadPod(const FieldReader& object) {
  PodObject read;
  PodRecord& pod = read.pod;
  pod.ns = object.Text("metadata.namespace");
  pod.name = object.Text("metadata.name");
  pod.uid = object.Text("metadata.uid");
  pod.node = object.Text("spec.nodeName");
  pod.labels = object.Texts("metadata.labels");
  pod.queue = QueueOf(pod.labels);
  pod.created = object.Time("metadata.creationTimestamp");
  read.owner = ControllerOf(object);
  read.resource_version = object.Text("metadata.resourceVersion");
  for (const auto& [path, value] :
       {std::pair("metadata.name", &pod.name), std::pair("metadata.uid", &pod.uid)}) {
    if (value->empty()) object.Fail(path, "is missing");
  }
  if (!pod.created) object.Fail("metadata.creationTimestamp", "is missing");

  const std::map<std::string, Condition> conditions = ConditionsOf(object);
  if (!pod.node.empty()) {
    pod.scheduled = ScheduledAt(object, conditions);
    pod.ready = ReadyAt(object);
  } else if (const auto waits = conditions.find("PodScheduled"); waits != conditions.end()) {
    pod.pending_reason = waits->second.reason;
  }
  ReadEnd(object, conditions, pod);
  PodRequests requests = EffectiveRequests(object);
  pod.requests = std::move(requests.amounts);
  pod.units = std::move(requests.units);
  read.has_claims = requests.has_claims;
  read.has_unknown_share = requests.has_unknown_share;
  return read;
}

void KeepLaterSighting(PodObject& kept, PodObject other) {
  const bool same_version = kept.resource_version == other.resource_version;
  if (same_version ? Completeness(kept) < Completeness(other)
                   : IsLater(other.resource_version, kept.resource_version)) {
    std::swap(kept, other);
  }
  KeepEarliest(kept.pod.scheduled, other.pod.scheduled);
  KeepEarliest(kept.pod.ready, other.pod.ready);
  if (!kept.pod.ended && other.pod.ended) {
    kept.pod.ended = other.pod.ended;
    kept.pod.end_reason = other.pod.end_reason;
  }
}

}  // namespace plimsoll
