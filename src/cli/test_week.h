// Facts of a small fleet for tests of the week's waits and pools: nodes of eight GPUs, jobs by the
// hour of a week that begins at kWeekBegin.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ledger/facts.h"
#include "ledger/test_facts.h"

namespace plimsoll {

inline constexpr Instant kWeekBegin = kFactsDay;
inline constexpr Window kTestWeek{kWeekBegin, kWeekBegin + Days(7)};

inline void AddNode(OccupancyFacts& facts, const std::string& name, const std::string& rack = "") {
  NodeBatch& nodes = facts.nodes;
  const std::size_t i = AddBlankRow(nodes);
  nodes.cluster[i] = "c";
  nodes.node[i] = name;
  nodes.gpu_model[i] = "H100-SXM-80GB";
  nodes.gpu_count[i] = 8;
  nodes.cpu_milli[i] = 64'000;
  nodes.memory_bytes[i] = std::int64_t{512} << 30;
  nodes.labels[i] = rack.empty() ? "{}" : R"({"topology.kubernetes.io/rack":")" + rack + "\"}";
}

// A pod of a batch job: its hours of the week from queued to end.
struct TestPod {
  std::string job, node;
  std::int64_t gpus = 1;
  std::optional<std::int64_t> queued;
  std::int64_t begin = 0;
  std::optional<std::int64_t> end;
  std::string kind = "Job";
  std::string source = "kubernetes";
};

inline std::size_t AddPod(OccupancyFacts& facts, const TestPod& pod) {
  HoldingBatch& held = facts.holdings;
  const std::size_t i = AddBlankRow(held);
  const bool is_slurm = pod.source == "slurm";
  held.cluster[i] = "c";
  held.node[i] = pod.node;
  held.source[i] = pod.source;
  held.ns[i] = is_slurm ? "" : "research";
  held.workload_kind[i] = is_slurm ? "SlurmJob" : pod.kind;
  held.workload[i] = pod.job;
  held.name[i] = pod.job;
  held.uid[i] = pod.job + (is_slurm ? "@" : "@" + pod.node + "/") + std::to_string(pod.begin);
  held.queue[i] = is_slurm ? "gpu" : "";
  held.devices[i] = pod.gpus;
  held.device_kind[i] = "gpu";
  held.share_num[i] = held.share_den[i] = 1;
  if (pod.queued) held.queued[i] = kWeekBegin + Hours(*pod.queued);
  held.begin[i] = kWeekBegin + Hours(pod.begin);
  if (pod.end) held.until[i] = kWeekBegin + Hours(*pod.end);
  return i;
}

inline std::size_t AddPending(OccupancyFacts& facts, const std::string& job, std::int64_t gpus,
                              std::int64_t gpus_on_node, std::int64_t queued) {
  PendingBatch& pending = facts.conditions.pending;
  const std::size_t i = AddBlankRow(pending);
  pending.cluster[i] = "c";
  pending.source[i] = "slurm";
  pending.name[i] = pending.workload[i] = job;
  pending.workload_kind[i] = "SlurmJob";
  pending.queue[i] = "gpu";
  pending.devices[i] = gpus;
  pending.unit_devices[i] = gpus_on_node;
  pending.device_kind[i] = "gpu";
  pending.queued[i] = kWeekBegin + Hours(queued);
  return i;
}

}  // namespace plimsoll
