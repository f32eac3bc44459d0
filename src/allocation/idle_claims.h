// IdleClaims: everything that explains idle GPU time of the window, in order of precedence
// (rule S16): conditions of nodes, capacity that is set aside, declared reserves, the
// autoscaler's delay.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "allocation/allocation.h"
#include "allocation/device_grid.h"
#include "allocation/node_table.h"
#include "allocation/workload_table.h"
#include "model/cost_line.h"

namespace plimsoll {

struct IdleClaim {
  CostClass cost_class = CostClass::kWaste;
  std::vector<std::int32_t> owners;  // workloads that it is divided among, evenly
  Window time;
  std::vector<std::int32_t> nodes;  // ascending
  // Physical cards at most, over all nodes; kAllCards: whatever is idle there.
  std::int64_t gpus = 0;
  // Cards that telemetry misses are among `gpus`: they are the failed ones, held or not.
  bool counts_missing = false;
};
inline constexpr std::int64_t kAllCards = -1;

// Work that waited for GPUs: the shape of one pod or task on one node.
struct WaitingShape {
  Symbol cluster;
  Window time;
  std::int64_t gpus = 0;  // 0: fits anywhere, as far as is known
};

// Claims that touch the window, first claim first. Each owner is a workload of source "fleet",
// whose kind and name say why.
std::vector<IdleClaim> GatherIdleClaims(const AllocationInput& input,
                                        const AllocationOptions& options, const DeviceGrid& devices,
                                        const NodeTable& nodes, WorkloadTable& workloads);

// Pods and jobs that waited within the window, whether they were placed later or not.
std::vector<WaitingShape> GatherWaiting(const AllocationInput& input,
                                        const AllocationOptions& options);

}  // namespace plimsoll
