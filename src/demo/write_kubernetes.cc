#include "demo/write_kubernetes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "demo/node_labels.h"
#include "demo/random.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;  // keys sorted, as kubectl prints them

Json Condition(const char* type, const char* status, Instant at, const char* reason = nullptr) {
  Json condition{{"type", type},
                 {"status", status},
                 {"lastProbeTime", nullptr},
                 {"lastTransitionTime", ToString(at)}};
  if (reason != nullptr) condition["reason"] = reason;
  return condition;
}

Json OwnerReference(const DemoOwner& owner) {
  return {{"apiVersion", owner.api_version},
          {"kind", owner.kind},
          {"name", owner.name},
          {"uid", owner.uid},
          {"controller", true},
          {"blockOwnerDeletion", true}};
}

const char* RestartPolicy(const DemoOwner& owner) {
  return owner.kind == "Job" || owner.kind == "PyTorchJob" ? "Never" : "Always";
}

class ListWriter {
 public:
  explicit ListWriter(const DemoFleet& fleet) : fleet_(fleet) {}

  std::string Write() {
    std::set<std::string> namespaces;
    for (const DemoOwner& owner : fleet_.owners) namespaces.insert(owner.ns);
    for (const std::string& name : namespaces) AddNamespace(name);
    for (const DemoNode& node : fleet_.nodes) {
      if (!node.slurm() && !node.until) AddNode(node);
    }
    for (const DemoOwner& owner : fleet_.owners) AddOwner(owner);
    for (const DemoPod& pod : fleet_.pods) AddPod(pod);
    const Json list{{"apiVersion", "v1"},
                    {"items", std::move(items_)},
                    {"kind", "List"},
                    {"metadata", {{"resourceVersion", ""}}}};
    return list.dump(4) + "\n";
  }

 private:
  void AddNamespace(const std::string& name) {
    DemoRandom random(fleet_.seed, "namespace/" + name);
    items_.push_back({{"apiVersion", "v1"},
                      {"kind", "Namespace"},
                      {"metadata",
                       {{"name", name},
                        {"uid", random.Uuid()},
                        {"creationTimestamp", ToString(fleet_.window.begin - Days(60))},
                        {"labels", {{"kubernetes.io/metadata.name", name}}}}},
                      {"spec", {{"finalizers", {"kubernetes"}}}},
                      {"status", {{"phase", "Active"}}}});
  }

  void AddNode(const DemoNode& node) {
    DemoRandom random(fleet_.seed, "node-uid/" + node.name);
    Json capacity{{"cpu", fmt::format("{}", node.shape.cpu)},
                  {"memory", fmt::format("{}Ki", node.shape.gib * 1024 * 1024)},
                  {"pods", "100"}};
    Json allocatable = capacity;
    for (const auto& [resource, count] : DevicesOf(node)) {
      capacity[resource] = fmt::format("{}", count);
      allocatable[resource] = fmt::format("{}", count - BrokenAtEnd(node));
    }
    Json ready = Condition("Ready", "True", node.begin + Minutes(1), "KubeletReady");
    ready.erase("lastProbeTime");
    ready["lastHeartbeatTime"] = ToString(fleet_.window.until);
    items_.push_back({{"apiVersion", "v1"},
                      {"kind", "Node"},
                      {"metadata",
                       {{"name", node.name},
                        {"uid", random.Uuid()},
                        {"creationTimestamp", ToString(node.begin)},
                        {"labels", NodeLabelsOf(node)}}},
                      {"spec", {{"providerID", ProviderIdOf(node)}}},
                      {"status",
                       {{"addresses", {{{"type", "Hostname"}, {"address", node.name}}}},
                        {"capacity", capacity},
                        {"allocatable", allocatable},
                        {"conditions", {ready}},
                        {"nodeInfo",
                         {{"architecture", "amd64"},
                          {"kubeletVersion", "v1.33.4-eks-99bf8c7"},
                          {"operatingSystem", "linux"},
                          {"osImage", "Amazon Linux 2023"}}}}}});
  }

  // Cards that the device plugin has taken out when the list is made.
  std::int64_t BrokenAtEnd(const DemoNode& node) const {
    return std::count_if(node.units.begin(), node.units.end(), [&](const DemoUnit& unit) {
      return unit.failed && unit.failed->contains(fleet_.window.until);
    });
  }

  void AddOwner(const DemoOwner& owner) {
    Json metadata{{"name", owner.name},
                  {"namespace", owner.ns},
                  {"uid", owner.uid},
                  {"creationTimestamp", ToString(owner.created)},
                  {"labels", owner.labels}};
    if (!owner.parent_uid.empty()) {
      const auto parent =
          std::find_if(fleet_.owners.begin(), fleet_.owners.end(),
                       [&](const DemoOwner& other) { return other.uid == owner.parent_uid; });
      metadata["ownerReferences"] = {OwnerReference(*parent)};
    }
    items_.push_back({{"apiVersion", owner.api_version},
                      {"kind", owner.kind},
                      {"metadata", metadata},
                      {"spec", Json::object()},
                      {"status", Json::object()}});
  }

  Json Container(const DemoPod& pod) const {
    Json requests{{"cpu", fmt::format("{}", pod.cpu)}, {"memory", fmt::format("{}Gi", pod.gib)}};
    Json limits{{"memory", fmt::format("{}Gi", pod.gib)}};
    if (pod.count > 0) {
      requests[pod.resource] = limits[pod.resource] = fmt::format("{}", pod.count);
    }
    return {{"name", pod.container},
            {"image", "registry.example.com/" + pod.ns + "/" + pod.container + ":1"},
            {"resources", {{"requests", requests}, {"limits", limits}}}};
  }

  void AddPod(const DemoPod& pod) {
    Json spec{{"containers", {Container(pod)}},
              {"restartPolicy", RestartPolicy(fleet_.owners[pod.owner])},
              {"schedulerName", "default-scheduler"}};
    if (pod.hold) spec["nodeName"] = fleet_.nodes[fleet_.holds[*pod.hold].node].name;
    Json metadata{{"name", pod.name},
                  {"namespace", pod.ns},
                  {"uid", pod.uid},
                  {"creationTimestamp", ToString(pod.created)},
                  {"ownerReferences", {OwnerReference(fleet_.owners[pod.owner])}},
                  {"labels", pod.labels}};
    items_.push_back(
        {{"apiVersion", "v1"},
         {"kind", "Pod"},
         {"metadata", metadata},
         {"spec", spec},
         {"status", pod.hold ? BoundStatus(pod, fleet_.holds[*pod.hold]) : PendingStatus(pod)}});
  }

  static Json PendingStatus(const DemoPod& pod) {
    Json scheduled = Condition("PodScheduled", "False", pod.created, "Unschedulable");
    scheduled["message"] = "0/9 nodes are available: 9 Insufficient " + pod.resource + ".";
    return {{"phase", "Pending"}, {"conditions", {scheduled}}, {"qosClass", "Burstable"}};
  }

  static Json BoundStatus(const DemoPod& pod, const DemoHold& hold) {
    const bool ended = hold.end.has_value();
    const bool completed = pod.end_reason == "Completed";
    const char* is_ready = ended ? "False" : "True";
    const char* why = !ended ? nullptr : completed ? "PodCompleted" : "PodFailed";
    const Instant since = ended ? *hold.end : hold.ready;
    Json state;
    if (ended) {
      const bool evicted = pod.end_reason == "Evicted";
      const int exit_code = completed ? 0 : evicted || pod.end_reason == "OOMKilled" ? 137 : 1;
      state["terminated"] = {{"exitCode", exit_code},
                             {"reason", evicted ? "Error" : pod.end_reason},
                             {"startedAt", ToString(hold.ready)},
                             {"finishedAt", ToString(*hold.end)}};
    } else {
      state["running"] = {{"startedAt", ToString(hold.ready)}};
    }
    Json status{
        {"phase", !ended      ? "Running"
                  : completed ? "Succeeded"
                              : "Failed"},
        {"qosClass", "Burstable"},
        {"startTime", ToString(hold.bind)},
        {"conditions",
         {Condition("PodScheduled", "True", hold.bind), Condition("Initialized", "True", hold.bind),
          Condition("ContainersReady", is_ready, since, why),
          Condition("Ready", is_ready, since, why)}},
        {"containerStatuses",
         {{{"name", pod.container},
           {"ready", !ended},
           {"restartCount", 0},
           {"started", !ended},
           {"state", state},
           {"lastState", Json::object()}}}}};
    if (pod.end_reason == "Evicted") {
      status["reason"] = "Evicted";
      status["message"] = "The spot instance was interrupted";
    }
    return status;
  }

  const DemoFleet& fleet_;
  Json items_ = Json::array();
};

}  // namespace

std::string KubernetesJson(const DemoFleet& fleet) { return ListWriter(fleet).Write(); }

}  // namespace plimsoll
