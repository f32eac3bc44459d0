#include "ingest/prometheus/ksm_pods.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace plimsoll {
namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;
constexpr std::int64_t kNever = INT64_MAX;

struct Owner {
  std::int64_t at = INT64_MIN;
  bool controller = false;
  std::string kind, name;

  auto Rank() const { return std::tie(controller, at, kind, name); }
};

struct Phase {
  std::int64_t first = kNever;
  std::int64_t last = INT64_MIN;
};

// All that the series say of one pod. Every update is a minimum, a maximum or a union.
struct Pod {
  std::int64_t first = kNever, last = INT64_MIN;
  std::string node;
  Owner owner;
  std::pair<std::int64_t, Labels> labels{INT64_MIN, {}};
  std::map<std::pair<std::string, std::string>, std::int64_t> requests, init_requests;
  std::map<std::string, std::int64_t> memory_used;  // the peak of each container
  std::set<std::string> sidecars;
  std::map<std::string, Phase> phases;
  std::set<std::string> reasons;
  Phase unschedulable;
  bool out_of_memory = false;
  std::int64_t created = kNever, scheduled = kNever, started = kNever, ready = kNever;
  std::map<std::string, std::int64_t> containers;  // first start
  std::int64_t completed = INT64_MIN, deleted = INT64_MIN;
};

using PodKey = std::tuple<std::string, std::string, std::string>;     // ns, name, uid
using ObjectKey = std::tuple<std::string, std::string, std::string>;  // kind, ns, name

std::string Text(const KsmSeries& series, std::string_view key) {
  return std::string(series.labels.Get(key));
}

// Prometheus renames the exporter's own labels where the target already has them.
std::string Exported(const KsmSeries& series, const std::string& key) {
  const std::string_view exported = series.labels.Get("exported_" + key);
  return std::string(exported.empty() ? series.labels.Get(key) : exported);
}

void Widen(Phase& phase, const KsmSeries& series) {
  phase.first = std::min(phase.first, series.first_true);
  phase.last = std::max(phase.last, series.last_true);
}

void SeeOwner(Owner& owner, const KsmSeries& series) {
  const Owner seen{series.last, series.labels.Get("owner_is_controller") == "true",
                   Text(series, "owner_kind"), Text(series, "owner_name")};
  // "<none>" is how releases before 2.0 wrote no owner.
  if (seen.name.empty() || seen.kind == "<none>") return;
  if (owner.Rank() < seen.Rank()) owner = seen;
}

void SeeRequest(Pod& pod, const KsmSeries& series) {
  auto& requests = series.metric == KsmMetric::kPodRequest ? pod.requests : pod.init_requests;
  std::int64_t& most = requests[{Exported(series, "container"), Text(series, "resource")}];
  most = std::max(most, series.greatest);
  pod.node = std::max(pod.node, Exported(series, "node"));
}

void SeeState(Pod& pod, const KsmSeries& series) {
  if (series.metric == KsmMetric::kPodUnschedulable) Widen(pod.unschedulable, series);
  if (!series.was_true()) return;
  const std::string reason = Text(series, "reason");
  if (series.metric == KsmMetric::kPodPhase) Widen(pod.phases[Text(series, "phase")], series);
  if (series.metric == KsmMetric::kPodReason) pod.reasons.insert(reason);
  if (series.metric == KsmMetric::kPodTerminatedReason && reason == "OOMKilled") {
    pod.out_of_memory = true;
  }
}

void SeeTime(Pod& pod, const KsmSeries& series) {
  const auto earliest = [&](std::int64_t& time) { time = std::min(time, series.least); };
  const auto latest = [&](std::int64_t& time) { time = std::max(time, series.greatest); };
  switch (series.metric) {
    case KsmMetric::kPodCreated:
      return earliest(pod.created);
    case KsmMetric::kPodScheduled:
      return earliest(pod.scheduled);
    case KsmMetric::kPodStarted:
      return earliest(pod.started);
    case KsmMetric::kPodReady:
      return earliest(pod.ready);
    case KsmMetric::kPodCompleted:
      return latest(pod.completed);
    case KsmMetric::kPodDeleted:
      return latest(pod.deleted);
    default:
      break;
  }
  std::int64_t& first =
      pod.containers.try_emplace(Exported(series, "container"), kNever).first->second;
  first = std::min(first, series.least);
}

void See(Pod& pod, const KsmSeries& series) {
  pod.first = std::min(pod.first, series.first);
  pod.last = std::max(pod.last, series.last);
  switch (series.metric) {
    case KsmMetric::kPodInfo:
      pod.node = std::max(pod.node, Exported(series, "node"));
      return;
    case KsmMetric::kPodOwner:
      return SeeOwner(pod.owner, series);
    case KsmMetric::kPodLabels:
      pod.labels = std::max(pod.labels, {series.last, ObjectLabels(series.labels)});
      return;
    case KsmMetric::kPodRequest:
    case KsmMetric::kPodInitRequest:
      return SeeRequest(pod, series);
    case KsmMetric::kPodInitInfo:
      if (series.labels.Get("restart_policy") == "Always") {
        pod.sidecars.insert(Exported(series, "container"));
      }
      return;
    case KsmMetric::kPodPhase:
    case KsmMetric::kPodReason:
    case KsmMetric::kPodUnschedulable:
    case KsmMetric::kPodTerminatedReason:
      return SeeState(pod, series);
    default:
      return SeeTime(pod, series);
  }
}

// The uid in a container's cgroup path: ".../kubepods-burstable-pod<uid>.slice/...", with '_' for
// '-' where systemd names it; "" if there is none.
std::string UidOfCgroup(std::string_view path) {
  for (std::size_t at = path.find("pod"); at != std::string_view::npos;
       at = path.find("pod", at + 1)) {
    std::string uid(path.substr(at + 3, 36));
    std::replace(uid.begin(), uid.end(), '_', '-');
    const bool is_uid = uid.size() == 36 && std::count(uid.begin(), uid.end(), '-') == 4;
    if (is_uid && uid.find_first_not_of("0123456789abcdef-") == std::string::npos) return uid;
  }
  return {};
}

// The one pod that had the series' name at its time, or that its cgroup names. A name that two
// pods had, one after the other, tells nothing of either.
Pod* UserOf(std::map<PodKey, Pod>& pods, const KsmSeries& series) {
  const std::string ns = Exported(series, "namespace");
  const std::string name = Exported(series, "pod");
  const std::string uid = UidOfCgroup(series.labels.Get("id"));
  if (!uid.empty()) {
    const auto found = pods.find({ns, name, uid});
    return found == pods.end() ? nullptr : &found->second;
  }
  Pod* user = nullptr;
  for (auto pod = pods.lower_bound({ns, name, ""}); pod != pods.end(); ++pod) {
    if (std::get<0>(pod->first) != ns || std::get<1>(pod->first) != name) break;
    if (pod->second.first > series.last || pod->second.last < series.first) continue;
    if (user != nullptr) return nullptr;
    user = &pod->second;
  }
  return user;
}

// The kubelet's series of containers; those of whole pods and of pause containers have none.
void SeeMemory(const KsmStore& store, std::map<PodKey, Pod>& pods) {
  for (const KsmSeries& series : store.series()) {
    if (series.metric != KsmMetric::kContainerMemory || series.last < series.first) continue;
    const std::string container = Exported(series, "container");
    if (container.empty() || container == "POD") continue;
    if (Pod* pod = UserOf(pods, series)) {
      std::int64_t& most = pod->memory_used[container];
      most = std::max(most, series.greatest);
    }
  }
}

struct Cluster {
  std::map<PodKey, Pod> pods;
  std::map<ObjectKey, Owner> owners;  // of ReplicaSets and Jobs
  std::map<std::string, std::pair<std::int64_t, Labels>> namespaces;
};

Cluster Gather(const KsmStore& store) {
  Cluster cluster;
  for (const KsmSeries& series : store.series()) {
    if (series.last < series.first) continue;
    std::string ns = Exported(series, "namespace");
    if (series.metric == KsmMetric::kReplicaSetOwner) {
      SeeOwner(cluster.owners[{"ReplicaSet", ns, Text(series, "replicaset")}], series);
    } else if (series.metric == KsmMetric::kJobOwner) {
      SeeOwner(cluster.owners[{"Job", ns, Text(series, "job_name")}], series);
    } else if (series.metric == KsmMetric::kNamespaceLabels) {
      auto& labels = cluster.namespaces[ns];
      labels = std::max(labels, {series.last, ObjectLabels(series.labels)});
    } else if (series.metric < KsmMetric::kReplicaSetOwner) {
      std::string name = Exported(series, "pod");
      std::string uid = Text(series, "uid");
      if (uid.empty()) uid = ns + "/" + name;  // releases before 2.0
      See(cluster.pods[{std::move(ns), std::move(name), std::move(uid)}], series);
    }
  }
  SeeMemory(store, cluster.pods);
  return cluster;
}

// A ReplicaSet of a Deployment is named "<deployment>-<pod template hash>".
std::optional<std::string> DeploymentOf(const std::string& replica_set) {
  const std::size_t dash = replica_set.rfind('-');
  if (dash == std::string::npos || dash == 0) return std::nullopt;
  const std::string_view hash = std::string_view(replica_set).substr(dash + 1);
  constexpr std::string_view kAlphabet = "bcdfghjklmnpqrstvwxz2456789";
  if (hash.size() < 8 || hash.size() > 10) return std::nullopt;
  if (hash.find_first_not_of(kAlphabet) != std::string_view::npos) return std::nullopt;
  return replica_set.substr(0, dash);
}

void SetWorkload(const Cluster& cluster, const Pod& pod, PodRecord& record) {
  record.workload_kind = pod.owner.name.empty() ? "Pod" : pod.owner.kind;
  record.workload = pod.owner.name.empty() ? record.name : pod.owner.name;
  for (int step = 0; step < 8; ++step) {  // an owner chain is two or three long
    const auto above = cluster.owners.find({record.workload_kind, record.ns, record.workload});
    if (above == cluster.owners.end() || above->second.name.empty()) break;
    record.workload_kind = above->second.kind;
    record.workload = above->second.name;
  }
  if (record.workload_kind != "ReplicaSet") return;
  if (const auto deployment = DeploymentOf(record.workload)) {
    record.workload_kind = "Deployment";
    record.workload = *deployment;
  }
}

using Amounts = std::map<std::pair<std::string, std::string>, std::int64_t>;  // container, resource

// Memory that a container used beyond what it asked for is held like what it asked for: it was
// nobody else's.
void RaiseToUse(const Pod& pod, Amounts& requests, Amounts& init_requests) {
  for (const auto& [container, used] : pod.memory_used) {
    const auto of_init = init_requests.lower_bound({container, ""});
    const bool is_init = of_init != init_requests.end() && of_init->first.first == container;
    Amounts& amounts = is_init || pod.sidecars.contains(container) ? init_requests : requests;
    std::int64_t& amount = amounts[{container, "memory"}];
    amount = std::max(amount, used);
  }
}

// max(init containers, sum of containers), sidecars added to both.
void SetRequests(const Pod& pod, PodRecord& record) {
  Amounts requests = pod.requests;
  Amounts init_requests = pod.init_requests;
  RaiseToUse(pod, requests, init_requests);
  std::map<std::string, std::int64_t> init;
  std::map<std::string, std::int64_t> sidecars;
  for (const auto& [key, amount] : requests) record.requests[key.second] += amount;
  for (const auto& [key, amount] : init_requests) {
    if (pod.sidecars.contains(key.first)) {
      sidecars[key.second] += amount;
    } else {
      init[key.second] = std::max(init[key.second], amount);
    }
  }
  for (const auto& [resource, amount] : init) {
    record.requests[resource] = std::max(record.requests[resource], amount);
  }
  for (const auto& [resource, amount] : sidecars) record.requests[resource] += amount;
}

std::string EndReason(const Pod& pod) {
  if (pod.reasons.contains("Evicted")) return "Evicted";
  if (pod.reasons.contains("PreemptionByScheduler")) return "Preempted";
  if (pod.reasons.contains("NodeLost") || pod.reasons.contains("Shutdown")) return "NodeLost";
  if (pod.phases.contains("Succeeded")) return "Completed";
  if (pod.out_of_memory) return "OutOfMemory";
  return pod.phases.contains("Failed") ? "Failed" : "Cancelled";
}

std::optional<std::int64_t> EndOf(const Pod& pod, std::int64_t as_of, std::int64_t hold) {
  std::int64_t terminal = kNever;
  for (const char* phase : {"Succeeded", "Failed"}) {
    const auto found = pod.phases.find(phase);
    if (found != pod.phases.end()) terminal = std::min(terminal, found->second.first);
  }
  if (pod.completed != INT64_MIN) return std::min(pod.completed, terminal);
  if (terminal != kNever) return terminal;
  if (as_of - pod.last <= hold) return std::nullopt;
  const std::int64_t gone = pod.last + hold;
  return pod.deleted >= pod.last && pod.deleted < gone ? pod.deleted : gone;
}

std::optional<Instant> Known(std::int64_t time) {
  return time == kNever ? std::nullopt : std::optional(AtMillis(time));
}

std::int64_t ReadyOf(const Pod& pod) {
  std::int64_t ready = kNever;
  if (!pod.containers.empty()) {
    ready = INT64_MIN;
    for (const auto& [container, first] : pod.containers) ready = std::max(ready, first);
  }
  ready = std::min(ready, pod.ready);  // a restart moves the one, a failed probe the other
  if (ready != kNever || !pod.phases.contains("Running")) return ready;
  return pod.started != kNever ? pod.started : pod.phases.at("Running").first;
}

PodRecord RecordOf(const Cluster& cluster, const PodKey& key, const Pod& pod) {
  PodRecord record;
  std::tie(record.ns, record.name, record.uid) = key;
  record.node = pod.node;
  SetWorkload(cluster, pod, record);
  SetRequests(pod, record);
  if (const auto ns = cluster.namespaces.find(record.ns); ns != cluster.namespaces.end()) {
    for (const auto& [label, value] : ns->second.second) record.labels[label] = value;
  }
  for (const auto& [label, value] : pod.labels.second) {
    record.labels[label] = value;
    if (label == "kueue_x_k8s_io_queue_name") record.queue = value;
  }
  record.created = Known(std::min({pod.created, pod.scheduled, pod.started, pod.first}));
  std::int64_t bound = pod.scheduled != kNever ? pod.scheduled : pod.started;
  if (bound == kNever && pod.created == kNever) bound = pod.first;
  record.scheduled = Known(bound != kNever ? bound : pod.created);
  record.ready = Known(ReadyOf(pod));
  if (pod.unschedulable.first <= pod.unschedulable.last) record.pending_reason = "Unschedulable";
  if (pod.reasons.contains("SchedulingGated")) record.pending_reason = "SchedulingGated";
  return record;
}

}  // namespace

KsmPods PodsOf(const KsmStore& store, const KsmOptions& options) {
  const Cluster cluster = Gather(store);
  KsmPods found;
  for (const auto& [key, pod] : cluster.pods) {
    PodRecord record = RecordOf(cluster, key, pod);
    record.cluster = options.cluster;
    if (const auto end = EndOf(pod, store.as_of(), options.hold.base())) {
      record.ended = AtMillis(*end);
      record.end_reason = EndReason(pod);
    }
    const bool ran = pod.phases.contains("Running") || pod.scheduled != kNever;
    if (record.node.empty() && ran) ++found.without_node;
    if (record.node.empty() && (ran || record.ended)) continue;
    found.pods.push_back(std::move(record));
  }
  return found;
}

}  // namespace plimsoll
