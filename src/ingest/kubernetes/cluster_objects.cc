#include "ingest/kubernetes/cluster_objects.h"

#include <algorithm>
#include <utility>

#include "ingest/kubernetes/node_object.h"

namespace plimsoll {
namespace {

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

}  // namespace

void ClusterObjects::Cover(std::optional<Instant> time) {
  if (time && (!out_.as_of || *time > *out_.as_of)) out_.as_of = time;
}

void ClusterObjects::Add(const nlohmann::json& object, const std::string& list_kind,
                         FieldError& error) {
  const FieldReader reader(object, "", error);
  const std::string kind = KindOf(reader, list_kind);
  if (kind.empty()) {
    reader.Fail("kind", "is missing");
    return;
  }
  const std::string uid = reader.Text("metadata.uid");
  if (kind == "Pod") {
    AddPod(reader);
  } else if (kind == "Node") {
    AddNode(reader, uid);
  } else if (kind == "Namespace") {
    AddNamespace(reader);
  } else {
    AddOther(reader, kind, uid);
  }
}

void ClusterObjects::AddPod(const FieldReader& object) {
  PodObject pod = ReadPod(object);
  if (object.has_error()) return;
  pod.pod.cluster = cluster_;
  for (const auto& time : {pod.pod.created, pod.pod.scheduled, pod.pod.ready}) Cover(time);
  if (pod.pod.end_reason != "Cancelled") Cover(pod.pod.ended);  // a deletion may lie ahead
  ++out_.objects;
  const std::string uid = pod.pod.uid;
  const auto found = pods_.find(uid);
  if (found == pods_.end()) {
    pods_.emplace(uid, std::move(pod));
  } else {
    ++out_.duplicates;
    KeepLaterSighting(found->second, std::move(pod));
  }
}

void ClusterObjects::AddNode(const FieldReader& object, const std::string& uid) {
  NodeBatch row;
  AppendNode(object, cluster_, catalog_, row);
  if (object.has_error()) return;
  for (const FieldReader& condition : object.Elements("status.conditions")) {
    Cover(condition.Time("lastHeartbeatTime"));
  }
  if (object.has_error()) return;
  ++out_.objects;
  if (seen_["Node/" + (uid.empty() ? row.node[0].text() : uid)]++ > 0) ++out_.duplicates;
  AppendRow(nodes_[row.node[0]], row, 0);
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
}

void ClusterObjects::NameWorkload(PodObject& object) {
  PodRecord& pod = object.pod;
  const OwnerIndex::Top top = owners_.Climb(object.owner, pod.labels);
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

ClusterFacts ClusterObjects::Finish() {
  for (auto& [uid, object] : pods_) {
    NameWorkload(object);
    if (const auto ns = namespaces_.find(object.pod.ns); ns != namespaces_.end()) {
      object.pod.labels.insert(ns->second.begin(), ns->second.end());  // pod labels stay
    }
    if (object.has_claims) ++out_.with_claims;
    if (object.has_unknown_share) ++out_.unknown_share;
    AppendPod(object.pod, out_.facts.holdings, out_.facts.pending);
  }
  pods_.clear();
  for (const auto& [name, rows] : nodes_) {
    for (std::size_t row = 0; row < RowsOf(rows); ++row) AppendRow(out_.facts.nodes, rows, row);
  }
  for (const auto& [kind, count] : others_) {
    if (!owners_.used_kinds().contains(kind)) out_.ignored[kind] = count;
  }
  return std::move(out_);
}

}  // namespace plimsoll
