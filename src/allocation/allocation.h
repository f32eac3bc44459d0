// Allocation: charges + occupancy + usage -> hourly cost lines that add up exactly.
//
// A pure function of its input: no clock, no files, no threads; the same facts in any order,
// repeated or split over batches give the same lines in the same order. Overview:
//   1. charges are matched to nodes (or priced by the ladder), giving asset costs by hour;
//   2. a node's cost is split into GPU, CPU and memory by the split weights;
//   3. holdings are resolved to devices by evidence, and each device's hour is divided into
//      classes of time (CostClass); conditions and declared reserves explain what is idle;
//   4. every split is by largest remainder, so that lines add up to charges to the nano.
// Every rule, word by word: docs/decisions/0002-allocation-semantics.md (S1 to S18).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "model/attribution.h"
#include "model/charge.h"
#include "model/conditions.h"
#include "model/cost_line.h"
#include "model/declared_cost.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/idle_policy.h"
#include "model/price.h"
#include "model/usage.h"

namespace plimsoll {

// Shares of a node's price, for one unit each: one physical GPU, one vCPU, one GiB. Default:
// the EKS accelerator rule, GPU : (CPU + memory) = 9 : 1 and CPU : memory = 9 : 1 in unit
// weights, that is 9 : 0.9 : 0.1 (AWS split cost allocation data).
struct NodeSplitWeights {
  std::int64_t gpu = 90;
  std::int64_t cpu = 9;
  std::int64_t memory = 1;
};

// Who carries the unused part of a commitment.
enum class UnusedCommitment : unsigned char { kOwner, kPlatform, kProportional };

// A resource that some bill names as compute, and the time for which its bill is known: hours
// in it without a charge were not provisioned, hours outside are priced by the ladder.
struct BilledResource {
  std::string resource_id, resource_name;
  Window covered;  // first charge to the end of its account's bill
};

// What the fleet says of its capacity beside who holds it.
struct Conditions {
  NodeStateBatch states;
  SetAsideBatch set_asides;
  PendingBatch pending;
  VolumeBatch volumes;
};

struct AllocationOptions {
  Window window;  // whole hours
  NodeSplitWeights split;
  AttributionRules attribution = DefaultAttributionRules();
  // A device that nothing holds is busy_unattributed from this busy fraction on.
  std::int64_t busy_ppm_min = 10'000;
  UnusedCommitment unused_commitment = UnusedCommitment::kOwner;
  std::string platform_team = "platform";
  IdlePolicy idle;
  std::vector<DeclaredCost> declared;
  std::vector<VolumePrice> volume_prices;
  // Node name -> billed resource id, for nodes without a provider id (Slurm, on-prem).
  std::map<std::string, std::string> node_resources;
  // Of bills that reach beyond the window's charges. A node that is not among them is billed
  // for the whole window if any charge of the window names it.
  std::vector<BilledResource> billed;
  std::string currency = "USD";  // of prices used where no bill names the node
  // Held without an end is held until this time at the latest. Also: time after it is not
  // provisioned on nodes that are priced without a bill.
  Instant data_until;
  // A node whose begin nothing tells exists from here on, unless a bill says otherwise.
  Instant data_begin = Instant::FromBase(INT64_MIN);
};

// All facts that touch the window. Batches may hold more; rows outside are skipped. The same
// node or pod may come from several sources: (cluster, node) and (cluster, uid) are counted
// once, kubernetes over kube-state-metrics over slurm (HoldingBatch::source).
struct AllocationInput {
  const ChargeBatch& charges;
  const NodeBatch& nodes;
  const HoldingBatch& holdings;
  const BindingBatch& bindings;
  const UsageBatch& usage;
  const PriceBatch& prices;  // ladder order: contracted, spot-history, list
  const Catalog& catalog;
  const Conditions* conditions = nullptr;  // null: nothing is known of them
};

// What one node cost in one hour, and why: the basis of `explain`.
struct AssetCostBatch {
  std::vector<Instant> hour;
  std::vector<std::int64_t> node_id, scope_id;
  std::vector<Instant> provisioned_begin, provisioned_until;  // within the hour
  std::vector<Money> cost, gpu_cost, cpu_cost, memory_cost;
  std::vector<std::string> rung;          // kRung*
  std::vector<std::string> price_source;  // billed: "", else PriceBatch::source and as_of

  static constexpr std::tuple kColumns{
      MakeColumn("hour", &AssetCostBatch::hour),
      MakeColumn("node_id", &AssetCostBatch::node_id),
      MakeColumn("scope_id", &AssetCostBatch::scope_id),
      MakeColumn("provisioned_begin", &AssetCostBatch::provisioned_begin),
      MakeColumn("provisioned_until", &AssetCostBatch::provisioned_until),
      MakeColumn("cost", &AssetCostBatch::cost),
      MakeColumn("gpu_cost", &AssetCostBatch::gpu_cost),
      MakeColumn("cpu_cost", &AssetCostBatch::cpu_cost),
      MakeColumn("memory_cost", &AssetCostBatch::memory_cost),
      MakeColumn("rung", &AssetCostBatch::rung),
      MakeColumn("price_source", &AssetCostBatch::price_source),
  };
};

// Something a reader must know about the figures. Never silent, never fatal.
struct FindingBatch {
  // no-price, price-stand-in, over-allocated, held-not-provisioned, device-missing,
  // label-stale, duplicate-series, unmatched-charge, no-telemetry, over-committed.
  std::vector<std::string> kind;
  std::vector<std::string> subject;  // node, pod, device or resource
  std::vector<std::string> detail;   // a sentence
  std::vector<GpuHours> gpu_time;    // concerned; 0 if none
  std::vector<Money> cost;           // concerned; 0 if none

  static constexpr std::tuple kColumns{
      MakeColumn("kind", &FindingBatch::kind),     MakeColumn("subject", &FindingBatch::subject),
      MakeColumn("detail", &FindingBatch::detail), MakeColumn("gpu_time", &FindingBatch::gpu_time),
      MakeColumn("cost", &FindingBatch::cost),
  };
};

struct AllocationOutput {
  CostLineBatch lines;  // sorted by hour, scope, node, workload, class; one row a key
  AllocationScopeBatch scopes;
  AllocationWorkloadBatch workloads;
  AllocationNodeBatch nodes;
  AssetCostBatch assets;
  FindingBatch findings;
};

// Fails with kInvalidArgument on a window that is not whole hours, kOutOfRange past 38
// digits.
Result<AllocationOutput> Allocate(const AllocationInput& input, const AllocationOptions& options);

}  // namespace plimsoll
