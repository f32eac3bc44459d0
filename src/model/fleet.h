// The fleet: nodes and, as telemetry showed them, their GPUs and who was seen on them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

// One row a node of a Kubernetes cluster or a Slurm cluster. (cluster, node) is the key.
// Merging two sightings keeps the earliest begin and the latest until.
struct NodeBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<Symbol> cluster, node;
  std::vector<std::string> provider_id;    // "aws:///us-east-1a/i-0abc"; "" if unknown
  std::vector<std::string> instance_type;  // "p5.48xlarge"; "" if unknown
  std::vector<std::string> region, zone;
  std::vector<std::string> capacity_type;  // on-demand, spot, reserved, unknown
  std::vector<std::string> gpu_model;      // catalog name ("H100-SXM-80GB"), or as reported
  std::vector<std::int64_t> gpu_count;     // physical cards, never replicas or MIG devices
  std::vector<std::int64_t> cpu_milli;     // capacity
  std::vector<std::int64_t> memory_bytes;  // capacity
  std::vector<std::optional<Instant>> begin, until;  // existence; null is unbounded
  std::vector<std::string> labels;                   // JSON object, keys sorted

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &NodeBatch::snapshot_id),
      MakeColumn("cluster", &NodeBatch::cluster),
      MakeColumn("node", &NodeBatch::node),
      MakeColumn("provider_id", &NodeBatch::provider_id),
      MakeColumn("instance_type", &NodeBatch::instance_type),
      MakeColumn("region", &NodeBatch::region),
      MakeColumn("zone", &NodeBatch::zone),
      MakeColumn("capacity_type", &NodeBatch::capacity_type),
      MakeColumn("gpu_model", &NodeBatch::gpu_model),
      MakeColumn("gpu_count", &NodeBatch::gpu_count),
      MakeColumn("cpu_milli", &NodeBatch::cpu_milli),
      MakeColumn("memory_bytes", &NodeBatch::memory_bytes),
      MakeColumn("begin_at", &NodeBatch::begin),
      MakeColumn("until_at", &NodeBatch::until),
      MakeColumn("labels", &NodeBatch::labels),
  };
};

// Evidence that a holder was on a device: a maximal run of samples that carried its name
// (dcgm-exporter pod or hpc_job labels). Not an allocation: holdings are (model/holding.h).
struct BindingBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<Symbol> cluster, node;
  std::vector<Symbol> device, instance;  // GPU UUID; MIG GPU_I_ID or ""
  std::vector<Symbol> ns;                // Kubernetes namespace; "" for a Slurm job
  std::vector<std::string> name;         // pod name, or Slurm job id
  std::vector<Instant> begin, until;     // until: last sample + its hold (usage.h)

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &BindingBatch::snapshot_id),
      MakeColumn("cluster", &BindingBatch::cluster),
      MakeColumn("node", &BindingBatch::node),
      MakeColumn("device", &BindingBatch::device),
      MakeColumn("instance", &BindingBatch::instance),
      MakeColumn("namespace", &BindingBatch::ns),
      MakeColumn("name", &BindingBatch::name),
      MakeColumn("begin_at", &BindingBatch::begin),
      MakeColumn("until_at", &BindingBatch::until),
  };
};

}  // namespace plimsoll
