#include "ingest/kubernetes/pod_object.h"

#include <algorithm>
#include <string_view>
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

// "registry.k8s.io/pause:3.9", "k8s.gcr.io/pause-amd64@sha256:...".
bool IsPauseImage(const std::string& image) {
  const std::size_t slash = image.rfind('/');
  std::string name = slash == std::string::npos ? image : image.substr(slash + 1);
  name.resize(std::min(name.find_first_of(":@"), name.size()));
  return name == "pause" || name.starts_with("pause-");
}

std::string RoleOfPod(const FieldReader& object, const PodRecord& pod) {
  PodMarks marks;
  marks.ns = pod.ns;
  marks.priority_class = object.Text("spec.priorityClassName");
  marks.priority = object.Integer("spec.priority");
  const std::vector<FieldReader> containers = object.Elements("spec.containers");
  marks.pause_image = !containers.empty();
  for (const FieldReader& container : containers) {
    marks.pause_image = marks.pause_image && IsPauseImage(container.Text("image"));
  }
  for (const char* key : {"app", "app.kubernetes.io/name"}) {
    const auto label = pod.labels.find(key);
    marks.overprovisioning =
        marks.overprovisioning ||
        (label != pod.labels.end() && label->second.find("overprovision") != std::string::npos);
  }
  return RoleOf(marks);
}

// The names of the claims behind the pod's references. A claim from a template has a name of
// its own, which the status tells.
std::vector<std::string> ClaimsOf(const FieldReader& object) {
  std::map<std::string, std::string> made;
  for (const FieldReader& status : object.Elements("status.resourceClaimStatuses")) {
    made[status.Text("name")] = status.Text("resourceClaimName");
  }
  std::vector<std::string> claims;
  for (const FieldReader& reference : object.Elements("spec.resourceClaims")) {
    std::string claim = reference.Text("resourceClaimName");
    if (claim.empty()) claim = reference.Text("source.resourceClaimName");  // before 1.31
    if (const auto name = made.find(reference.Text("name")); name != made.end()) {
      claim = name->second;
    }
    claims.push_back(std::move(claim));
  }
  std::sort(claims.begin(), claims.end());
  claims.erase(std::unique(claims.begin(), claims.end()), claims.end());
  return claims;
}

std::vector<std::string> VolumesOf(const FieldReader& object, const std::string& pod) {
  std::vector<std::string> volumes;
  for (const FieldReader& volume : object.Elements("spec.volumes")) {
    std::string claim = volume.Text("persistentVolumeClaim.claimName");
    if (volume.Object("ephemeral")) claim = pod + "-" + volume.Text("name");
    if (!claim.empty()) volumes.push_back(std::move(claim));
  }
  std::sort(volumes.begin(), volumes.end());
  volumes.erase(std::unique(volumes.begin(), volumes.end()), volumes.end());
  return volumes;
}

void KeepLargerRequests(PodObject& kept, const PodObject& other) {
  for (const auto& [resource, amount] : other.pod.requests) {
    const auto mine = kept.pod.requests.find(resource);
    if (mine == kept.pod.requests.end()) continue;  // a device's resource never changes
    if (mine->second != amount) kept.is_resized = true;
    mine->second = std::max(mine->second, amount);
  }
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
  read.memory_mib = std::move(requests.memory_mib);
  pod.role = RoleOfPod(object, pod);
  read.claims = ClaimsOf(object);
  read.volumes = VolumesOf(object, pod.name);
  const auto annotations = object.Texts("metadata.annotations");
  if (const auto name = annotations.find("kueue.x-k8s.io/workload"); name != annotations.end()) {
    read.kueue_workload = name->second;
  }
  return read;
}

bool IsLaterVersion(const std::string& a, const std::string& b) {
  return std::pair(a.size(), std::string_view(a)) > std::pair(b.size(), std::string_view(b));
}

void KeepLaterSighting(PodObject& kept, PodObject other) {
  const bool same_version = kept.resource_version == other.resource_version;
  if (same_version ? Completeness(kept) < Completeness(other)
                   : IsLaterVersion(other.resource_version, kept.resource_version)) {
    std::swap(kept, other);
  }
  KeepEarliest(kept.pod.scheduled, other.pod.scheduled);
  KeepEarliest(kept.pod.ready, other.pod.ready);
  KeepLargerRequests(kept, other);
  kept.is_resized = kept.is_resized || other.is_resized;
  if (!kept.pod.ended && other.pod.ended) {
    kept.pod.ended = other.pod.ended;
    kept.pod.end_reason = other.pod.end_reason;
  }
}

}  // namespace plimsoll
