#include "demo/write_ksm.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "demo/node_labels.h"

namespace plimsoll {
namespace {

constexpr Duration kScrape = Minutes(30);
constexpr std::int64_t kGib = std::int64_t{1} << 30U;

std::string Sanitized(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    const bool keeps = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!keeps) c = '_';
  }
  return text;
}

std::string SecondsText(Instant t) { return GoNumber(t.base() / 1'000); }

// One pod with the times at which it was scraped.
struct SeenPod {
  const DemoPod* pod;
  const DemoHold* hold;  // null: still waiting
  std::string key;       // namespace, pod, uid labels
  std::vector<Instant> times;

  bool bound(Instant t) const { return hold != nullptr && hold->bind <= t; }
  bool ready(Instant t) const { return hold != nullptr && hold->ready <= t; }
  bool ended(Instant t) const { return hold != nullptr && hold->end && *hold->end <= t; }
};

class KsmWriter {
 public:
  KsmWriter(const DemoFleet& fleet, OpenMetricsWriter& out) : fleet_(fleet), out_(out) {
    for (const DemoPod& pod : fleet.pods) pods_.push_back(See(pod));
  }

  void WriteAll() {
    WritePods();
    WritePodTimes();
    WriteOwners();
    WriteNodes();
  }

 private:
  using When = std::function<bool(Instant)>;

  SeenPod See(const DemoPod& pod) const {
    SeenPod seen{&pod, pod.hold ? &fleet_.holds[*pod.hold] : nullptr, "", {}};
    AppendLabel(seen.key, "namespace", pod.ns);
    AppendLabel(seen.key, "pod", pod.name);
    AppendLabel(seen.key, "uid", pod.uid);
    std::set<Instant> times =
        Scrapes(std::max(pod.created, fleet_.window.begin),
                seen.hold != nullptr && seen.hold->end ? *seen.hold->end : fleet_.window.until);
    if (seen.hold != nullptr) {
      for (const Instant change : {seen.hold->bind, seen.hold->ready}) {
        const Instant next = CeilTo(change, kDemoStep);
        if (!seen.ended(next)) times.insert(next);
      }
      if (seen.hold->end) times.insert(CeilTo(*seen.hold->end, kDemoStep));
    }
    for (const Instant t : times) {
      if (fleet_.window.contains(t)) seen.times.push_back(t);
    }
    return seen;
  }

  // The scrapes of an object that is there over [begin, until): first, half-hourly, last.
  static std::set<Instant> Scrapes(Instant begin, Instant until) {
    std::set<Instant> times{CeilTo(begin, kDemoStep), CeilTo(until, kDemoStep) - kDemoStep};
    for (Instant t = CeilTo(begin, kScrape); t < until; t = t + kScrape) times.insert(t);
    return times;
  }

  void Series(const std::string& labels, const std::vector<Instant>& times, const When& when,
              std::string_view value) {
    out_.Series(labels);
    for (const Instant t : times) {
      if (when(t)) out_.Sample(t, value);
    }
  }
  static bool Always(Instant) { return true; }

  const std::string& NodeName(const SeenPod& seen) const {
    return fleet_.nodes[seen.hold->node].name;
  }

  // Before it is bound a pod's series have an empty node, and are other series.
  void ByNode(const SeenPod& seen, const std::string& labels, std::string_view value) {
    const auto with = [&](std::string_view node) {
      std::string text = labels;
      AppendLabel(text, "node", node);
      return text;
    };
    Series(
        with(""), seen.times, [&](Instant t) { return !seen.bound(t); }, value);
    if (seen.hold == nullptr) return;
    Series(
        with(NodeName(seen)), seen.times, [&](Instant t) { return seen.bound(t); }, value);
  }

  void WriteRequests(const SeenPod& seen) {
    const auto request = [&](std::string_view resource, std::string_view unit, std::int64_t n) {
      if (n == 0) return;
      std::string labels = seen.key;
      AppendLabel(labels, "container", seen.pod->container);
      AppendLabel(labels, "resource", resource);
      AppendLabel(labels, "unit", unit);
      ByNode(seen, labels, GoNumber(n));
    };
    request("cpu", "core", seen.pod->cpu);
    request("memory", "byte", seen.pod->gib * kGib);
    request(Sanitized(seen.pod->resource), "integer", seen.pod->count);
  }

  void WritePhases(const SeenPod& seen) {
    const bool failed = seen.pod->end_reason != "Completed";
    const auto phase_at = [&](Instant t) -> std::string_view {
      if (seen.ended(t)) return failed ? "Failed" : "Succeeded";
      return seen.ready(t) ? "Running" : "Pending";
    };
    for (const char* phase : {"Failed", "Pending", "Running", "Succeeded", "Unknown"}) {
      std::string labels = seen.key;
      AppendLabel(labels, "phase", phase);
      out_.Series(labels);
      for (const Instant t : seen.times) out_.Sample(t, phase_at(t) == phase ? "1" : "0");
    }
  }

  void WritePods() {
    out_.Family("kube_pod_info", "Information about pod.");
    for (const SeenPod& seen : pods_) {
      const DemoOwner& owner = fleet_.owners[seen.pod->owner];
      std::string labels = seen.key;
      AppendLabel(labels, "created_by_kind", owner.kind);
      AppendLabel(labels, "created_by_name", owner.name);
      ByNode(seen, labels, "1");
    }
    out_.Family("kube_pod_owner", "Information about the Pod's owner.");
    for (const SeenPod& seen : pods_) {
      const DemoOwner& owner = fleet_.owners[seen.pod->owner];
      std::string labels = seen.key;
      AppendLabel(labels, "owner_kind", owner.kind);
      AppendLabel(labels, "owner_name", owner.name);
      AppendLabel(labels, "owner_is_controller", "true");
      Series(labels, seen.times, Always, "1");
    }
    out_.Family("kube_pod_labels", "Kubernetes labels converted to Prometheus labels.");
    for (const SeenPod& seen : pods_) {
      std::string labels = seen.key;
      for (const auto& [name, value] : seen.pod->labels) {
        if (name.starts_with("platform.example.com/")) {
          AppendLabel(labels, "label_" + Sanitized(name), value);
        }
      }
      Series(labels, seen.times, Always, "1");
    }
    out_.Family("kube_pod_container_resource_requests",
                "The number of requested request resource by a container.");
    for (const SeenPod& seen : pods_) WriteRequests(seen);
    out_.Family("kube_pod_status_phase", "The pods current phase.");
    for (const SeenPod& seen : pods_) WritePhases(seen);
    out_.Family("kube_pod_status_reason", "The pod status reasons");
    for (const SeenPod& seen : pods_) {
      if (seen.pod->end_reason != "Evicted") continue;
      std::string labels = seen.key;
      AppendLabel(labels, "reason", "Evicted");
      Series(
          labels, seen.times, [&](Instant t) { return seen.ended(t); }, "1");
    }
    out_.Family("kube_pod_container_status_terminated_reason",
                "Describes the reason the container is currently in terminated state.");
    for (const SeenPod& seen : pods_) {
      if (seen.pod->end_reason.empty()) continue;
      const bool evicted = seen.pod->end_reason == "Evicted";
      std::string labels = seen.key;
      AppendLabel(labels, "container", seen.pod->container);
      AppendLabel(labels, "reason", evicted ? "Error" : seen.pod->end_reason);
      Series(
          labels, seen.times, [&](Instant t) { return seen.ended(t); }, "1");
    }
  }

  void WritePodTimes() {
    out_.Family("kube_pod_created", "Unix creation timestamp");
    for (const SeenPod& seen : pods_) {
      Series(seen.key, seen.times, Always, SecondsText(seen.pod->created));
    }
    for (const char* family : {"kube_pod_status_scheduled_time", "kube_pod_start_time"}) {
      out_.Family(family, "Unix timestamp when the pod was placed on a node");
      for (const SeenPod& seen : pods_) {
        if (seen.hold == nullptr) continue;
        Series(
            seen.key, seen.times, [&](Instant t) { return seen.bound(t); },
            SecondsText(seen.hold->bind));
      }
    }
    out_.Family("kube_pod_container_state_started",
                "Start time in unix timestamp for a pod container.");
    for (const SeenPod& seen : pods_) {
      if (seen.hold == nullptr) continue;
      std::string labels = seen.key;
      AppendLabel(labels, "container", seen.pod->container);
      Series(
          labels, seen.times, [&](Instant t) { return seen.ready(t); },
          SecondsText(seen.hold->ready));
    }
    out_.Family("kube_pod_completion_time", "Completion time in unix timestamp for a pod.");
    for (const SeenPod& seen : pods_) {
      if (seen.hold == nullptr || !seen.hold->end) continue;
      Series(
          seen.key, seen.times, [&](Instant t) { return seen.ended(t); },
          SecondsText(*seen.hold->end));
    }
  }

  void WriteOwners() {
    out_.Family("kube_replicaset_owner", "Information about the ReplicaSet's owner.");
    for (const DemoOwner& owner : fleet_.owners) {
      if (owner.kind != "ReplicaSet") continue;
      const auto parent =
          std::find_if(fleet_.owners.begin(), fleet_.owners.end(),
                       [&](const DemoOwner& other) { return other.uid == owner.parent_uid; });
      std::string labels;
      AppendLabel(labels, "namespace", owner.ns);
      AppendLabel(labels, "replicaset", owner.name);
      AppendLabel(labels, "owner_kind", parent->kind);
      AppendLabel(labels, "owner_name", parent->name);
      AppendLabel(labels, "owner_is_controller", "true");
      out_.Series(labels);
      const Instant first = CeilTo(std::max(owner.created, fleet_.window.begin), kDemoStep);
      for (const Instant t : Scrapes(first, fleet_.window.until)) {
        if (fleet_.window.contains(t)) out_.Sample(t, "1");
      }
    }
  }

  template <class Write>
  void EachNode(const Write& write) {
    for (const DemoNode& node : fleet_.nodes) {
      if (node.slurm()) continue;
      std::vector<Instant> times;
      for (const Instant t : Scrapes(std::max(node.begin, fleet_.window.begin),
                                     node.until.value_or(fleet_.window.until))) {
        if (fleet_.window.contains(t)) times.push_back(t);
      }
      std::string key;
      AppendLabel(key, "node", node.name);
      write(node, key, times);
    }
  }

  void WriteNodes() {
    using Times = std::vector<Instant>;
    out_.Family("kube_node_info", "Information about a cluster node.");
    EachNode([&](const DemoNode& node, std::string labels, const Times& times) {
      AppendLabel(labels, "provider_id", ProviderIdOf(node));
      AppendLabel(labels, "kubelet_version", "v1.33.4-eks-99bf8c7");
      AppendLabel(labels, "os_image", "Amazon Linux 2023");
      Series(labels, times, Always, "1");
    });
    out_.Family("kube_node_created", "Unix creation timestamp");
    EachNode([&](const DemoNode& node, const std::string& key, const Times& times) {
      Series(key, times, Always, SecondsText(node.begin));
    });
    out_.Family("kube_node_status_capacity", "The total amount of resources on a node.");
    EachNode([&](const DemoNode& node, const std::string& key, const Times& times) {
      const auto capacity = [&](std::string_view resource, std::string_view unit,
                                std::int64_t value) {
        std::string labels = key;
        AppendLabel(labels, "resource", resource);
        AppendLabel(labels, "unit", unit);
        Series(labels, times, Always, GoNumber(value));
      };
      capacity("cpu", "core", node.shape.cpu);
      capacity("memory", "byte", node.shape.gib * kGib);
      for (const auto& [resource, count] : DevicesOf(node)) {
        capacity(Sanitized(resource), "integer", count);
      }
    });
    out_.Family("kube_node_labels", "Kubernetes labels converted to Prometheus labels.");
    EachNode([&](const DemoNode& node, std::string labels, const Times& times) {
      for (const auto& [name, value] : NodeLabelsOf(node)) {
        AppendLabel(labels, "label_" + Sanitized(name), value);
      }
      Series(labels, times, Always, "1");
    });
  }

  const DemoFleet& fleet_;
  OpenMetricsWriter& out_;
  std::vector<SeenPod> pods_;
};

}  // namespace

void WriteKsm(const DemoFleet& fleet, OpenMetricsWriter& out) { KsmWriter(fleet, out).WriteAll(); }

}  // namespace plimsoll
