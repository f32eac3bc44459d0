// Holdings: what a workload held on a node and for how long (allocation, not usage).
//
// One row a pod on its node, or a Slurm job (or het component) on one of its nodes. Time is
// held from bind to the terminal phase; [begin, ready) of it is start-up. A row holds
// `devices` units, each `share_num / share_den` of a physical GPU: 8 whole GPUs are
// {8, 1, 1}, two 3g MIG instances {2, 3, 7}, one of four time-slices {1, 1, 4}.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

struct HoldingBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<Symbol> cluster, node;
  std::vector<Symbol> source;                   // "kubernetes" or "slurm"
  std::vector<Symbol> ns;                       // namespace; "" for Slurm
  std::vector<std::string> name;                // pod name, or job id ("123_4", "900010+1")
  std::vector<std::string> uid;                 // pod uid, or "jobid@start" for one run of a job
  std::vector<std::string> workload_kind;       // Deployment, Job, ..., SlurmJob
  std::vector<std::string> workload;            // top owner's name, or the Slurm job name
  std::vector<std::string> account, user_name;  // Slurm; "" elsewhere
  std::vector<std::string> queue;               // Slurm partition, Kueue LocalQueue; ""
  std::vector<std::string> labels;              // JSON object: pod labels over namespace labels
  std::vector<std::int64_t> devices;            // whole number of units on this node
  std::vector<Symbol> device_kind;              // "gpu", "mig-1g.10gb", "gpu.shared", ...
  std::vector<std::int64_t> share_num, share_den;
  std::vector<std::int64_t> cpu_milli, memory_bytes;  // requested
  std::vector<std::optional<Instant>> queued;         // created or submitted
  std::vector<Instant> begin;                         // bound to the node, or job start
  std::vector<std::optional<Instant>> ready;          // containers running; null: not (yet)
  std::vector<std::optional<Instant>> until;          // null: still held at the load's data-as-of
  std::vector<std::string> end_reason;  // Completed, Failed, Evicted, Preempted, NodeLost,
                                        // Cancelled, Timeout, OutOfMemory, Requeued; "" held
  // "" for work. "placeholder": a pod of negative priority that keeps room for others;
  // "reservation": a scheduler's own pod, which holds a card for pods that share it.
  std::vector<Symbol> role;
  // Mean busy fraction over the whole holding as the job's own accounting tells it, in parts
  // per million, and where from (jobstats, gres/gpuutil); null and "" if nothing tells it.
  std::vector<std::optional<std::int64_t>> used_ppm;
  std::vector<Symbol> used_signal;
  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &HoldingBatch::snapshot_id),
      MakeColumn("cluster", &HoldingBatch::cluster),
      MakeColumn("node", &HoldingBatch::node),
      MakeColumn("source", &HoldingBatch::source),
      MakeColumn("namespace", &HoldingBatch::ns),
      MakeColumn("name", &HoldingBatch::name),
      MakeColumn("uid", &HoldingBatch::uid),
      MakeColumn("workload_kind", &HoldingBatch::workload_kind),
      MakeColumn("workload", &HoldingBatch::workload),
      MakeColumn("account", &HoldingBatch::account),
      MakeColumn("user_name", &HoldingBatch::user_name),
      MakeColumn("queue", &HoldingBatch::queue),
      MakeColumn("labels", &HoldingBatch::labels),
      MakeColumn("devices", &HoldingBatch::devices),
      MakeColumn("device_kind", &HoldingBatch::device_kind),
      MakeColumn("share_num", &HoldingBatch::share_num),
      MakeColumn("share_den", &HoldingBatch::share_den),
      MakeColumn("cpu_milli", &HoldingBatch::cpu_milli),
      MakeColumn("memory_bytes", &HoldingBatch::memory_bytes),
      MakeColumn("queued_at", &HoldingBatch::queued),
      MakeColumn("begin_at", &HoldingBatch::begin),
      MakeColumn("ready_at", &HoldingBatch::ready),
      MakeColumn("until_at", &HoldingBatch::until),
      MakeColumn("end_reason", &HoldingBatch::end_reason),
      MakeColumn("role", &HoldingBatch::role),
      MakeColumn("used_ppm", &HoldingBatch::used_ppm),
      MakeColumn("used_signal", &HoldingBatch::used_signal),
  };
};

// Work that is waiting and holds nothing: it has a wait, no cost.
struct PendingBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<std::string> cluster, source, ns, name, workload_kind, workload, queue, labels;
  std::vector<std::int64_t> devices;
  std::vector<Instant> queued;
  std::vector<std::string> reason;  // Unschedulable, Priority, Resources...; "" if unknown
  // What one pod or task needs on one node: the shape that free GPUs must fit. 0: not known.
  std::vector<std::int64_t> unit_devices;
  std::vector<std::string> device_kind;  // as HoldingBatch::device_kind; "" if not known

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &PendingBatch::snapshot_id),
      MakeColumn("cluster", &PendingBatch::cluster),
      MakeColumn("source", &PendingBatch::source),
      MakeColumn("namespace", &PendingBatch::ns),
      MakeColumn("name", &PendingBatch::name),
      MakeColumn("workload_kind", &PendingBatch::workload_kind),
      MakeColumn("workload", &PendingBatch::workload),
      MakeColumn("queue", &PendingBatch::queue),
      MakeColumn("labels", &PendingBatch::labels),
      MakeColumn("devices", &PendingBatch::devices),
      MakeColumn("queued_at", &PendingBatch::queued),
      MakeColumn("reason", &PendingBatch::reason),
      MakeColumn("unit_devices", &PendingBatch::unit_devices),
      MakeColumn("device_kind", &PendingBatch::device_kind),
  };
};

}  // namespace plimsoll
