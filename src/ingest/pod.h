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

#include "model/fleet.h"
#include "model/holding.h"

namespace plimsoll {

struct PodRecord {
  std::string cluster, ns, name, uid, node;
  std::string workload_kind, workload;  // top owner, or "Pod" and the pod's own name
  std::string queue;                    // label kueue.x-k8s.io/queue-name
  std::map<std::string, std::string> labels;
  // Effective requests: max(init containers, sum of containers + sidecars), by resource
  // name, either spelling ("nvidia.com/gpu", "nvidia_com_mig_1g_10gb"); cpu in milli,
  // memory in bytes.
  std::map<std::string, std::int64_t> requests;
  std::optional<Instant> created, scheduled, ready, ended;
  std::string end_reason;  // as HoldingBatch::end_reason
  std::string pending_reason;
};

// The GPU unit behind a resource name: {"gpu", 1, 1}, {"mig-1g.10gb", 1, 7}...
struct DeviceUnit {
  std::string kind;
  std::int64_t share_num = 1;
  std::int64_t share_den = 1;
};
// Null if the resource is no GPU or accelerator.
std::optional<DeviceUnit> DeviceUnitOf(const std::string& resource);

// Adds the pod to `holdings` (one row a device kind; pods without accelerators too, with
// devices 0) if it was bound to a node, else to `pending` if it still waits.
void AppendPod(const PodRecord& pod, HoldingBatch& holdings, PendingBatch& pending);

}  // namespace plimsoll
