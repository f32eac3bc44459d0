#include "ingest/kubernetes/node_states.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "ingest/kubernetes/node_object.h"
#include "ingest/pod.h"

namespace plimsoll {
namespace {

struct Taint {
  std::string key, value;
  std::optional<Instant> added;
};

std::vector<Taint> TaintsOf(const FieldReader& object) {
  std::vector<Taint> taints;
  for (const FieldReader& taint : object.Elements("spec.taints")) {
    taints.push_back({taint.Text("key"), taint.Text("value"), taint.Time("timeAdded")});
  }
  std::sort(taints.begin(), taints.end(),
            [](const Taint& a, const Taint& b) { return a.key < b.key; });
  return taints;
}

// Taints that keep work off until something has been set up.
bool IsStartupTaint(std::string_view key) {
  return key.starts_with("startup-taint.cluster-autoscaler.kubernetes.io/") ||
         key.starts_with("status-taint.cluster-autoscaler.kubernetes.io/") ||
         key == "karpenter.sh/unregistered" ||
         key == "node.cloudprovider.kubernetes.io/uninitialized";
}

// Taints by which an autoscaler or a person takes a node out of use.
bool IsDrainTaint(std::string_view key) {
  return key == "ToBeDeletedByClusterAutoscaler" || key == "karpenter.sh/disrupted" ||
         key == "karpenter.sh/disruption" || key == "node.kubernetes.io/unschedulable";
}

// The cluster autoscaler writes when it tainted the node as the taint's value.
std::optional<Instant> AddedAt(const Taint& taint) {
  if (taint.added || taint.key != "ToBeDeletedByClusterAutoscaler") return taint.added;
  std::int64_t seconds = 0;
  const char* const end = taint.value.data() + taint.value.size();
  const auto [stop, error] = std::from_chars(taint.value.data(), end, seconds);
  const bool whole = error == std::errc() && stop == end && seconds > 0;
  return whole && seconds < 1'000'000'000'000 ? std::optional(AtSeconds(seconds)) : std::nullopt;
}

bool SaysGpus(const NodeLabels& labels) {
  const auto present = labels.find("nvidia.com/gpu.present");
  return (present != labels.end() && present->second == "true") || !GpuProductOf(labels).empty();
}

bool HasMig(const std::map<std::string, std::string>& capacity) {
  return std::any_of(capacity.begin(), capacity.end(), [](const auto& entry) {
    const auto unit = DeviceUnitOf(entry.first);
    return unit && unit->kind.starts_with("mig-");
  });
}

struct Cards {
  std::int64_t all = 0, shown = 0, allocatable = 0;
  bool partitioned = false;
  bool is_told = false;  // a status without allocatable is no status of 0

  // Cards that a plugin does not show at all have failed too, but MIG capacity in slices
  // tells no number of cards.
  std::int64_t gone() const { return partitioned ? 0 : std::max<std::int64_t>(0, all - shown); }
  std::int64_t usable() const {
    std::int64_t lost = std::max<std::int64_t>(0, shown - allocatable);
    // More than there are: parts of cards, as HAMi shows them without a label that says so.
    if (shown > all) lost = (lost * all + shown - 1) / shown;
    return std::max<std::int64_t>(0, all - lost - gone());
  }
};

NodeStateSighting HealthOf(const FieldReader& object, const std::vector<Taint>& taints,
                           const Cards& cards) {
  NodeStateSighting health{"health", "ok"};
  for (const FieldReader& condition : object.Elements("status.conditions")) {
    if (condition.Text("type") != "Ready") continue;
    health.changed = condition.Time("lastTransitionTime");
    if (condition.Text("status") == "True") continue;
    health.value = "failed";
    health.reason = condition.Text("reason");
    return health;
  }
  const auto startup = std::find_if(taints.begin(), taints.end(),
                                    [](const Taint& taint) { return IsStartupTaint(taint.key); });
  if (startup != taints.end()) {
    health.value = "initializing";
    health.reason = startup->key;
    health.changed = startup->added ? startup->added : object.Time("metadata.creationTimestamp");
  } else if (cards.allocatable == 0 && cards.is_told) {
    // A node that never showed a GPU has been starting since it was made.
    health.value = "initializing";
    health.reason = "no GPU is allocatable";
    health.changed = cards.shown == 0 ? object.Time("metadata.creationTimestamp") : std::nullopt;
    health.may_be_dra = cards.shown == 0;
  }
  return health;
}

NodeStateSighting SchedulableOf(const FieldReader& object, const std::vector<Taint>& taints) {
  NodeStateSighting schedulable{"schedulable", "yes"};
  for (const Taint& taint : taints) {
    if (!IsDrainTaint(taint.key)) continue;
    schedulable.value = "no";
    schedulable.reason = taint.key;
    schedulable.changed = AddedAt(taint);
    if (taint.key != "node.kubernetes.io/unschedulable") return schedulable;
  }
  if (object.Boolean("spec.unschedulable") && schedulable.value == "yes") {
    schedulable.value = "no";
    schedulable.reason = "cordoned";
  }
  return schedulable;
}

}  // namespace

std::vector<NodeStateSighting> ReadNodeStates(const FieldReader& object, std::int64_t gpus) {
  const NodeLabels labels = object.Texts("metadata.labels");
  if (gpus == 0 && !SaysGpus(labels)) return {};
  const auto capacity = object.Texts("status.capacity");
  const auto allocatable = object.Texts("status.allocatable");
  const Cards cards{gpus, CardsOf(labels, capacity), CardsOf(labels, allocatable), HasMig(capacity),
                    !allocatable.empty()};
  const std::vector<Taint> taints = TaintsOf(object);
  std::vector<NodeStateSighting> states = {HealthOf(object, taints, cards),
                                           SchedulableOf(object, taints)};
  if (gpus > 0 && cards.shown > 0 && cards.allocatable > 0) {
    NodeStateSighting usable{"gpus", ""};
    usable.gpus = cards.usable();
    usable.may_be_dra = cards.gone() > 0;
    if (usable.gpus < gpus) {
      usable.reason = std::to_string(gpus - usable.gpus) + " of " + std::to_string(gpus) +
                      " GPUs are not allocatable";
    }
    states.push_back(std::move(usable));
  }
  return states;
}

}  // namespace plimsoll
