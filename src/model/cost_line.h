// Cost lines: the answer of allocation. One row says what one workload (or nothing) cost on
// one node (or off it) in one hour, in one class of GPU time.
//
// Lines of one billing scope add up to its effective cost, and per node and hour the GPU
// time of all classes adds up to the provisioned GPU time; both exactly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

// Classes of GPU time (domain: first rule that fits, top down). kNone is cost that is not
// GPU time: taxes, storage, traffic. Stored by number: never renumber, only append.
enum class CostClass : std::int64_t {
  kNone = 0,
  kUnavailable = 1,
  kStartup = 2,
  kHung = 3,
  kUsed = 4,
  kUnused = 5,
  kUsageUnknown = 6,
  kBusyUnattributed = 7,
  kQuotaHeld = 8,
  kReserve = 9,
  kScaleDownDelay = 10,
  kStranded = 11,
  kWaste = 12,
};
inline constexpr std::size_t kCostClassCount = 13;
inline constexpr const char* kCostClassNames[kCostClassCount] = {
    "none",       "unavailable", "startup",          "hung",
    "used",       "unused",      "usage_unknown",    "busy_unattributed",
    "quota_held", "reserve",     "scale_down_delay", "stranded",
    "waste"};
std::string_view NameOf(CostClass cost_class);
std::optional<CostClass> ParseCostClass(std::string_view name);

// True for the classes whose time a workload holds.
constexpr bool IsHeld(CostClass c) {
  return c >= CostClass::kStartup && c <= CostClass::kUsageUnknown;
}

// Index into WorkloadBatch, NodeBatch or the scope list of the same allocation; or:
inline constexpr std::int64_t kNoId = -1;

struct CostLineBatch {
  std::vector<Instant> hour;
  std::vector<std::int64_t> scope_id;     // AllocationScopeBatch
  std::vector<std::int64_t> node_id;      // AllocationNodeBatch; kNoId: no node
  std::vector<std::int64_t> workload_id;  // AllocationWorkloadBatch; kNoId: nobody
  std::vector<std::int64_t> cost_class;   // CostClass
  std::vector<GpuHours> gpu_time;
  std::vector<Money> gpu_cost, cpu_cost, memory_cost;
  std::vector<Money> storage_cost, network_cost, shared_cost, overhead_cost;

  static constexpr std::tuple kColumns{
      MakeColumn("hour", &CostLineBatch::hour),
      MakeColumn("scope_id", &CostLineBatch::scope_id),
      MakeColumn("node_id", &CostLineBatch::node_id),
      MakeColumn("workload_id", &CostLineBatch::workload_id),
      MakeColumn("cost_class", &CostLineBatch::cost_class),
      MakeColumn("gpu_time", &CostLineBatch::gpu_time),
      MakeColumn("gpu_cost", &CostLineBatch::gpu_cost),
      MakeColumn("cpu_cost", &CostLineBatch::cpu_cost),
      MakeColumn("memory_cost", &CostLineBatch::memory_cost),
      MakeColumn("storage_cost", &CostLineBatch::storage_cost),
      MakeColumn("network_cost", &CostLineBatch::network_cost),
      MakeColumn("shared_cost", &CostLineBatch::shared_cost),
      MakeColumn("overhead_cost", &CostLineBatch::overhead_cost),
  };
};

// What scope_id stands for. A scope priced without a bill has issuer "" and account "".
struct AllocationScopeBatch {
  std::vector<std::string> provider, issuer, account, currency;
  std::vector<Instant> billing_begin, billing_until;

  static constexpr std::tuple kColumns{
      MakeColumn("provider", &AllocationScopeBatch::provider),
      MakeColumn("issuer", &AllocationScopeBatch::issuer),
      MakeColumn("account", &AllocationScopeBatch::account),
      MakeColumn("currency", &AllocationScopeBatch::currency),
      MakeColumn("billing_begin", &AllocationScopeBatch::billing_begin),
      MakeColumn("billing_until", &AllocationScopeBatch::billing_until),
  };
};

// What workload_id stands for: identity and attribution. Unattributed rows have team ""
// and say why in `reason`: no-label, unknown-value, no-telemetry, no-owner.
struct AllocationWorkloadBatch {
  std::vector<std::string> cluster, source, ns, workload_kind, workload;
  std::vector<std::string> account, user_name, queue;
  std::vector<std::string> team, environment, workload_type, model, cost_center;
  std::vector<std::string> reason;

  static constexpr std::tuple kColumns{
      MakeColumn("cluster", &AllocationWorkloadBatch::cluster),
      MakeColumn("source", &AllocationWorkloadBatch::source),
      MakeColumn("namespace", &AllocationWorkloadBatch::ns),
      MakeColumn("workload_kind", &AllocationWorkloadBatch::workload_kind),
      MakeColumn("workload", &AllocationWorkloadBatch::workload),
      MakeColumn("account", &AllocationWorkloadBatch::account),
      MakeColumn("user_name", &AllocationWorkloadBatch::user_name),
      MakeColumn("queue", &AllocationWorkloadBatch::queue),
      MakeColumn("team", &AllocationWorkloadBatch::team),
      MakeColumn("environment", &AllocationWorkloadBatch::environment),
      MakeColumn("workload_type", &AllocationWorkloadBatch::workload_type),
      MakeColumn("model", &AllocationWorkloadBatch::model),
      MakeColumn("cost_center", &AllocationWorkloadBatch::cost_center),
      MakeColumn("reason", &AllocationWorkloadBatch::reason),
  };
};

// What node_id stands for.
struct AllocationNodeBatch {
  std::vector<std::string> cluster, node, instance_type, gpu_model, capacity_type, region, zone;
  // Why giving the node up would save nothing: commitment (some of its time is covered by one),
  // reserved, owned; "" if it would.
  std::vector<std::string> sunk;

  static constexpr std::tuple kColumns{
      MakeColumn("cluster", &AllocationNodeBatch::cluster),
      MakeColumn("node", &AllocationNodeBatch::node),
      MakeColumn("instance_type", &AllocationNodeBatch::instance_type),
      MakeColumn("gpu_model", &AllocationNodeBatch::gpu_model),
      MakeColumn("capacity_type", &AllocationNodeBatch::capacity_type),
      MakeColumn("region", &AllocationNodeBatch::region),
      MakeColumn("zone", &AllocationNodeBatch::zone),
      MakeColumn("sunk", &AllocationNodeBatch::sunk),
  };
};

}  // namespace plimsoll
