// PodRecord: what any Kubernetes source says of one pod, before it becomes a holding.
//
// Shared by ingest/kubernetes (API objects) and ingest/prometheus (kube-state-metrics), so
// that both turn resource names, phases and owners into holdings by the same rules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/fleet.h"
#include "model/holding.h"

namespace plimsoll {

// Devices of one resource that a node may offer, and physical cards that it may have. More is a
// broken report: the largest machines have 16 cards, and sharing makes a hundred of each at most.
inline constexpr std::int64_t kNodeDevicesMax = 10'000;
inline constexpr std::int64_t kNodeGpusMax = 1'024;

// The GPU unit behind a resource name: {"gpu", 1, 1}, {"mig-1g.10gb", 1, 7}...
struct DeviceUnit {
  std::string kind;
  std::int64_t share_num = 1;
  std::int64_t share_den = 1;

  friend bool operator==(const DeviceUnit&, const DeviceUnit&) = default;
};

struct PodRecord {
  std::string cluster, ns, name, uid, node;
  std::string workload_kind, workload;  // top owner, or "Pod" and the pod's own name
  std::string queue;                    // label kueue.x-k8s.io/queue-name
  std::map<std::string, std::string> labels;
  // Effective requests: max(init containers, sum of containers + sidecars), by resource
  // name, either spelling ("nvidia.com/gpu", "nvidia_com_mig_1g_10gb"); cpu in milli,
  // memory in bytes. Where a source tells memory in use, a container counts its peak if that is
  // more than it asked for.
  std::map<std::string, std::int64_t> requests;
  // Where the source knows a resource's unit better than its name tells: a fraction that a
  // scheduler's annotation grants. Keys are keys of `requests`.
  std::map<std::string, DeviceUnit> units;
  std::optional<Instant> created, scheduled, ready, ended;
  std::string end_reason;  // as HoldingBatch::end_reason
  std::string pending_reason;
  std::string role;  // as HoldingBatch::role
};

// The resource's or label's name with every character but letters and digits as '_', the
// spelling of kube-state-metrics: "nvidia.com/mig-1g.10gb" is "nvidia_com_mig_1g_10gb".
std::string SanitizedName(std::string_view name);

// Null if the resource is no GPU or accelerator. A MIG slice "Ng" is N sevenths of its card
// (N quarters for the A30's 1g.6gb, 2g.12gb, 4g.24gb). A time-slice ("gpu.shared") is {1, 1}
// here: only its node knows the replicas, and UnitOnNode applies them.
std::optional<DeviceUnit> DeviceUnitOf(const std::string& resource);

// The unit of a MIG profile in any spelling ("1g.10gb", "1g_10gb", "1c.3g.20gb", "1g.5gb.me"),
// or null: {"mig-1g.10gb", 1, 7}.
std::optional<DeviceUnit> MigUnitOf(std::string_view profile);

// What a unit requested by name is on a node with these labels (either spelling): "gpu" is a
// MIG instance where the whole node is partitioned alike (gpu.product ends "-MIG-1g.5gb"),
// and a share 1/replicas where cards are time-sliced or shared by MPS (gpu.replicas). A MIG
// slice is one of as many as gpu.product has: 4 on A30 and RTX PRO 6000, 2 on RTX PRO 5000.
DeviceUnit UnitOnNode(const DeviceUnit& unit, const std::map<std::string, std::string>& labels);

// What a pod holds, or waits for, of one device kind.
struct HeldDevices {
  DeviceUnit unit;
  std::int64_t devices = 0;
};
// One entry a device kind, in order of kind; never empty: a pod without accelerators holds 0
// "gpu". Units of one kind with different shares become one share of the same sum.
std::vector<HeldDevices> HeldDevicesOf(const PodRecord& pod);

// What marks a pod as no work of its own.
struct PodMarks {
  std::string ns, priority_class;
  std::int64_t priority = 0;
  bool pause_image = false;       // every container runs a pause image
  bool overprovisioning = false;  // an app label says so
};
// HoldingBatch::role: "reservation" in the namespaces where KAI and Run:ai keep their
// reservation pods; "placeholder" for negative priority with a pause image or an
// overprovisioning class or label; else "".
std::string RoleOf(const PodMarks& marks);

// A JSON object of labels, keys sorted, "{}" if none: the form of the labels columns.
std::string LabelsJson(const std::map<std::string, std::string>& labels);

// Adds the pod to `holdings` (one row a device kind; pods without accelerators too, with
// devices 0; CPU and memory are on the first) if it was bound to a node, else to `pending` if
// it still waits. A holding never ends or becomes ready before it begins.
void AppendPod(const PodRecord& pod, HoldingBatch& holdings, PendingBatch& pending);

}  // namespace plimsoll
