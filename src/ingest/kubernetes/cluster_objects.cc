#include "ingest/kubernetes/cluster_objects.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <tuple>
#include <utility>

#include "ingest/kubernetes/absent.h"
#include "ingest/kubernetes/node_object.h"
#include "ingest/kubernetes/pod_requests.h"
#include "ingest/kubernetes/runs.h"

namespace plimsoll {
namespace {

// Whether the object is of an API group, where its version tells; kinds share names.
bool IsOfGroup(const FieldReader& object, std::string_view group) {
  const std::string version = object.Text("apiVersion");
  return version.empty() || version.starts_with(group);
}

std::string KindOf(const FieldReader& object, const std::string& list_kind) {
  std::string kind = object.Text("kind");
  if (kind.empty() && list_kind.ends_with("List") && list_kind != "List") {
    kind = list_kind.substr(0, list_kind.size() - 4);
  }
  return kind;
}

void NameMirrorPod(PodRecord& pod) {
  // A static pod's name ends in its node's; the rest is what someone wrote.
  const std::string suffix = "-" + pod.node;
  pod.workload = pod.name;
  if (pod.workload.size() > suffix.size() && pod.workload.ends_with(suffix)) {
    pod.workload.resize(pod.workload.size() - suffix.size());
  }
}

std::int64_t CardMemoryOf(const FieldReader& node) {
  const auto labels = node.Texts("metadata.labels");
  const auto memory = labels.find("nvidia.com/gpu.memory");
  std::int64_t mib = 0;
  if (memory == labels.end()) return 0;
  std::from_chars(memory->second.data(), memory->second.data() + memory->second.size(), mib);
  return mib > 0 && mib < (1 << 24) ? mib : 0;
}

// A pod that a watch saw go: at its own end, but no later than it was gone.
void EndDeleted(PodRecord& pod, std::optional<Instant> at) {
  if (!at) return;
  if (!pod.ended) pod.end_reason = "Cancelled";
  pod.ended = pod.ended ? std::min(*pod.ended, *at) : *at;
}

void AppendRun(const std::string& cluster, const std::string& node, const std::string& aspect,
               const StateRun& run, NodeStateBatch& states) {
  std::int64_t gpus = 0;
  if (aspect == "gpus") {
    std::from_chars(run.value.data(), run.value.data() + run.value.size(), gpus);
  }
  states.snapshot_id.push_back(0);
  states.cluster.push_back(cluster);
  states.node.push_back(node);
  states.aspect.push_back(aspect);
  states.value.push_back(aspect == "gpus" ? "" : run.value);
  states.gpus.push_back(gpus);
  states.reason.push_back(run.detail);
  states.since.push_back(run.since);
  states.seen.push_back(run.seen);
}

void AppendRun(const std::string& cluster, const SetAsideHistory& history, const StateRun& run,
               SetAsideBatch& set_asides) {
  std::int64_t gpus = 0;
  std::from_chars(run.value.data(), run.value.data() + run.value.size(), gpus);
  set_asides.snapshot_id.push_back(0);
  set_asides.cluster.push_back(cluster);
  set_asides.source.emplace_back("kubernetes");
  set_asides.kind.push_back(history.kind);
  set_asides.ns.push_back(history.ns);
  set_asides.name.push_back(history.name);
  set_asides.owner.push_back(history.owner);
  set_asides.node.emplace_back();
  set_asides.gpus.push_back(gpus);
  set_asides.reason.push_back(run.detail);
  set_asides.since.push_back(run.since);
  set_asides.seen.push_back(run.seen);
  set_asides.until.emplace_back();
}

using NodeAspect = std::pair<std::string, std::string>;

std::map<NodeAspect, std::vector<StateRun>> KnownStates(const NodeStateBatch& states) {
  std::map<NodeAspect, std::vector<StateRun>> runs;
  for (std::size_t i = 0; i < RowsOf(states); ++i) {
    const std::string aspect = states.aspect[i].text();
    runs[{states.node[i].text(), aspect}].push_back(
        {aspect == "gpus" ? std::to_string(states.gpus[i]) : states.value[i].text(),
         states.since[i], states.seen[i], states.reason[i]});
  }
  return runs;
}

using SetAsideName = std::tuple<std::string, std::string, std::string>;  // kind, ns, name

std::map<SetAsideName, std::vector<StateRun>> KnownSetAsides(const SetAsideBatch& set_asides) {
  std::map<SetAsideName, std::vector<StateRun>> runs;
  for (std::size_t i = 0; i < RowsOf(set_asides); ++i) {
    if (set_asides.source[i] != "kubernetes") continue;
    runs[{set_asides.kind[i].text(), set_asides.ns[i], set_asides.name[i]}].push_back(
        {std::to_string(set_asides.gpus[i]), set_asides.since[i], set_asides.seen[i],
         set_asides.reason[i]});
  }
  return runs;
}

}  // namespace

void ClusterObjects::Cover(std::optional<Instant> time) {
  if (time && (!out_.as_of || *time > *out_.as_of)) out_.as_of = time;
}

void ClusterObjects::Add(const nlohmann::json& object, const Sighting& sighting,
                         FieldError& error) {
  const FieldReader reader(object, "", error);
  const std::string kind = KindOf(reader, sighting.list_kind);
  if (kind.empty()) {
    reader.Fail("kind", "is missing");
    return;
  }
  const std::string uid = reader.Text("metadata.uid");
  if (kind == "Pod") {
    AddPod(reader, sighting);
  } else if (kind == "Node") {
    AddNode(reader, uid, sighting);
  } else if (kind == "Namespace") {
    AddNamespace(reader);
  } else if (AddCondition(reader, kind, sighting)) {
    if (!reader.has_error()) CountSighting(reader, kind);
  } else {
    AddOther(reader, kind, uid);
  }
}

void ClusterObjects::CountSighting(const FieldReader& object, const std::string& kind) {
  ++out_.objects;
  std::string key = object.Text("metadata.uid");
  if (key.empty()) key = object.Text("metadata.namespace") + "/" + object.Text("metadata.name");
  if (seen_[kind + "/" + key]++ > 0) ++out_.duplicates;
}

void ClusterObjects::AddPod(const FieldReader& object, const Sighting& sighting) {
  PodObject pod = ReadPod(object);
  if (object.has_error()) return;
  pod.pod.cluster = cluster_;
  if (sighting.gone) EndDeleted(pod.pod, sighting.at);
  for (const auto& time : {pod.pod.created, pod.pod.scheduled, pod.pod.ready}) Cover(time);
  if (pod.pod.end_reason != "Cancelled") Cover(pod.pod.ended);  // a deletion may lie ahead
  ++out_.objects;
  const std::string uid = pod.pod.uid;
  // A pod may own others: the leader of a LeaderWorkerSet's group, a Spark driver.
  owners_.Add(uid, {"Pod", pod.pod.name, pod.owner, pod.pod.queue});
  const auto found = pods_.find(uid);
  if (found == pods_.end()) {
    pods_.emplace(uid, std::move(pod));
  } else {
    ++out_.duplicates;
    KeepLaterSighting(found->second, std::move(pod));
  }
}

void ClusterObjects::AddNode(const FieldReader& object, const std::string& uid,
                             const Sighting& sighting) {
  NodeSighting node;
  AppendNode(object, cluster_, catalog_, node.row);
  if (object.has_error()) return;
  for (const FieldReader& condition : object.Elements("status.conditions")) {
    Cover(condition.Time("lastHeartbeatTime"));
  }
  node.resource_version = object.Text("metadata.resourceVersion");
  node.uid = uid;
  node.at = sighting.at;
  node.card_mib = CardMemoryOf(object);
  if (!sighting.gone) node.states = ReadNodeStates(object, node.row.gpu_count[0]);
  if (sighting.gone && !node.row.until[0]) node.row.until[0] = sighting.at;
  if (object.has_error()) return;
  CountSighting(object, "Node");
  nodes_[node.row.node[0].text()].push_back(std::move(node));
}

void ClusterObjects::AddNamespace(const FieldReader& object) {
  const std::string name = object.Text("metadata.name");
  if (name.empty()) object.Fail("metadata.name", "is missing");
  const auto labels = object.Texts("metadata.labels");
  if (object.has_error()) return;
  ++out_.objects;
  if (seen_["Namespace/" + name]++ > 0) ++out_.duplicates;
  // Of two values of one label the greater counts, so that their order does not.
  for (const auto& [key, value] : labels) {
    std::string& kept = namespaces_[name][key];
    kept = std::max(kept, value);
  }
}

// Takes objects that hold capacity or describe what does; false of other kinds.
bool ClusterObjects::AddCondition(const FieldReader& object, const std::string& kind,
                                  const Sighting& sighting) {
  if (kind == "Workload" && IsOfGroup(object, "kueue.x-k8s.io/")) {
    workloads_.Add(object, sighting);
  } else if (kind == "CapacityBuffer" && IsOfGroup(object, "autoscaling.x-k8s.io/")) {
    buffers_.AddBuffer(object, sighting);
  } else if (kind == "PodTemplate") {
    buffers_.AddTemplate(object, kind);
  } else if (kind == "PersistentVolumeClaim") {
    volumes_.AddClaim(object, sighting);
  } else if (kind == "PersistentVolume") {
    volumes_.AddVolume(object);
  } else if (kind == "ResourceClaim") {
    claims_.AddClaim(object);
  } else if (kind == "ResourceSlice") {
    claims_.AddSlice(object);
  } else {
    return false;
  }
  Cover(object.Time("metadata.creationTimestamp"));
  for (const FieldReader& condition : object.Elements("status.conditions")) {
    Cover(condition.Time("lastTransitionTime"));
  }
  return true;
}

void ClusterObjects::AddOther(const FieldReader& object, const std::string& kind,
                              const std::string& uid) {
  ++others_[kind];
  const std::string name = object.Text("metadata.name");
  if (uid.empty() || name.empty()) return;
  const auto labels = object.Texts("metadata.labels");
  const auto queue = labels.find("kueue.x-k8s.io/queue-name");
  const OwnerRef owner = ControllerOf(object);
  if (object.has_error()) return;
  owners_.Add(uid, {kind, name, owner, queue == labels.end() ? "" : queue->second});
  // What its template asks for matters to a CapacityBuffer alone: an odd one is no refusal.
  FieldError odd;
  buffers_.AddTemplate(object.WithError(odd), kind);
}

void ClusterObjects::NameWorkload(PodObject& object) {
  PodRecord& pod = object.pod;
  const OwnerIndex::Top top = owners_.Climb(object.owner, pod.labels, pod.created);
  if (top.kind.empty()) {
    pod.workload_kind = "Pod";
    pod.workload = pod.name;
  } else if (top.kind == "Node") {
    pod.workload_kind = "StaticPod";
    NameMirrorPod(pod);
  } else {
    pod.workload_kind = top.kind;
    pod.workload = top.name;
  }
  if (pod.queue.empty()) pod.queue = top.queue;
}

void ClusterObjects::FinishPods() {
  for (const auto& [uid, object] : pods_) claims_.TakePod(object);
  for (auto& [uid, object] : pods_) {
    NameWorkload(object);
    if (const auto ns = namespaces_.find(object.pod.ns); ns != namespaces_.end()) {
      object.pod.labels.insert(ns->second.begin(), ns->second.end());  // pod labels stay
    }
    if (!claims_.Apply(object)) ++out_.with_claims;
    const auto node = nodes_.find(object.pod.node);
    const std::int64_t card_mib = node == nodes_.end() ? 0 : node->second.back().card_mib;
    if (!ApplyMemoryShares(object.memory_mib, card_mib, object.pod.units)) ++out_.unknown_share;
    if (object.is_resized) ++out_.resized;
    workloads_.TakePod(object, owners_);
    volumes_.TakePod(object);
    AppendPod(object.pod, out_.facts.holdings, out_.facts.pending);
  }
  pods_.clear();
}

// Of each node (by uid) the latest version counts. One that comes again under its name is there,
// whenever the one before it went.
void ClusterObjects::FinishNodes(const KnownFacts& known) {
  for (auto& [name, sightings] : nodes_) {
    for (std::size_t i = 0; i < sightings.size(); ++i) {
      NodeSighting& node = sightings[i];
      bool is_last = true;
      bool comes_again = false;
      for (std::size_t later = i + 1; later < sightings.size(); ++later) {
        const bool same = sightings[later].uid == node.uid;
        is_last = is_last && !(same && IsLaterVersion(sightings[later].resource_version,
                                                      node.resource_version));
        comes_again = comes_again || !same;
      }
      if (!is_last) continue;
      if (comes_again) node.row.until[0].reset();
      if (node.row.gpu_count[0] == 0) node.row.gpu_count[0] = claims_.CardsOf(name);
      AppendRow(out_.facts.nodes, node.row, 0);
    }
  }
  if (out_.as_of) FinishStates(known);
}

void ClusterObjects::FinishStates(const KnownFacts& known) {
  auto runs = KnownStates(known.facts.states);
  for (const auto& [name, sightings] : nodes_) {
    // Of sightings at one time the last version: `sightings` are in order of it.
    std::map<NodeAspect, std::map<Instant, Sighted>> by_aspect;
    for (const NodeSighting& node : sightings) {
      for (const NodeStateSighting& state : node.states) {
        if (state.may_be_dra && claims_.HasNode(name)) continue;
        const Instant seen = node.at.value_or(*out_.as_of);
        by_aspect[{name, state.aspect}].insert_or_assign(
            seen, Sighted{state.aspect == "gpus" ? std::to_string(state.gpus) : state.value, seen,
                          state.changed, state.reason});
      }
    }
    for (const auto& [aspect, sighted] : by_aspect) {
      std::vector<Sighted> in_time;
      for (const auto& [seen, sighting] : sighted) in_time.push_back(sighting);
      for (const StateRun& run : SettleRuns(std::move(runs[aspect]), std::move(in_time))) {
        AppendRun(cluster_, name, aspect.second, run, out_.facts.states);
      }
    }
  }
}

void ClusterObjects::FinishSetAsides(const KnownFacts& known) {
  auto runs = KnownSetAsides(known.facts.set_asides);
  std::vector<SetAsideHistory> histories = workloads_.Histories(*out_.as_of);
  for (SetAsideHistory& history : buffers_.Histories(*out_.as_of, out_.without_template)) {
    histories.push_back(std::move(history));
  }
  std::map<SetAsideName, bool> seen;
  for (const SetAsideHistory& history : histories) {
    seen[{history.kind, history.ns, history.name}] = true;
  }
  for (const auto& [name, before] : runs) {
    const auto& [kind, ns, text] = name;
    const char* const object = kind == "kueue-workload" ? "Workload" : "CapacityBuffer";
    if (seen.contains(name) || !known.complete.contains(object)) continue;
    histories.push_back({kind, ns, text, "", {{"0", *out_.as_of, std::nullopt, ""}}});
  }
  for (SetAsideHistory& history : histories) {
    std::vector<StateRun>& before = runs[{history.kind, history.ns, history.name}];
    for (const StateRun& run : SettleRuns(std::move(before), std::move(history.sightings), "0")) {
      AppendRun(cluster_, history, run, out_.facts.set_asides);
    }
  }
}

ClusterFacts ClusterObjects::Finish(const KnownFacts& known) {
  if (known.as_of) out_.as_of = known.as_of;
  for (auto& [name, sightings] : nodes_) {
    std::stable_sort(sightings.begin(), sightings.end(),
                     [](const NodeSighting& a, const NodeSighting& b) {
                       return IsLaterVersion(b.resource_version, a.resource_version);
                     });
  }
  FinishPods();
  FinishNodes(known);
  if (out_.as_of) FinishSetAsides(known);
  out_.facts.volumes = volumes_.Rows(cluster_, out_.as_of.value_or(AtSeconds(0)));
  out_.gone = EndAbsent(known, out_.facts);
  for (const auto& [kind, count] : others_) {
    if (!owners_.used_kinds().contains(kind)) out_.ignored[kind] = count;
  }
  return std::move(out_);
}

}  // namespace plimsoll
