// Conditions: what the fleet says of its capacity beside who holds it: nodes that are not well
// or not to be used, capacity that is set aside, volumes and who mounts them.
//
// All are sightings. A state holds from `since` until the next sighting of the same key says
// another, an amount no longer than its end or `seen`, the latest time a source still said so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

// One row a change of one aspect of a node. The key is (cluster, node, aspect, since).
//   health       ok, failed, initializing, maintenance
//   schedulable  yes, no (cordoned, draining)
//   planned      yes, no: kept free by the scheduler for a job that waits (Slurm PLANNED)
//   gpus         "": `gpus` of the node's GPUs may be used, the others failed
struct NodeStateBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<Symbol> cluster, node, aspect, value;
  std::vector<std::int64_t> gpus;   // of aspect gpus; else 0
  std::vector<std::string> reason;  // as the source words it; "" if it does not
  std::vector<Instant> since, seen;

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &NodeStateBatch::snapshot_id),
      MakeColumn("cluster", &NodeStateBatch::cluster),
      MakeColumn("node", &NodeStateBatch::node),
      MakeColumn("aspect", &NodeStateBatch::aspect),
      MakeColumn("value", &NodeStateBatch::value),
      MakeColumn("gpus", &NodeStateBatch::gpus),
      MakeColumn("reason", &NodeStateBatch::reason),
      MakeColumn("since_at", &NodeStateBatch::since),
      MakeColumn("seen_at", &NodeStateBatch::seen),
  };
};

// Capacity that something sets aside without a workload on it. The key is (cluster, source,
// kind, ns, name, node, since); a row of 0 GPUs ends what went before.
//   capacity-buffer   an autoscaler's CapacityBuffer: a declared reserve of its namespace
//   kueue-workload    quota reserved by a workload whose pods do not run
//   slurm-reservation accounts' reservation; slurm-maintenance: one with the MAINT flag
struct SetAsideBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<Symbol> cluster, source, kind;
  std::vector<std::string> ns, name;  // ns "" for Slurm
  std::vector<std::string>
      owner;                 // queue, accounts ("nlp,vision"), users ("user:ann") or namespace
  std::vector<Symbol> node;  // "" if any node of the cluster may give it
  std::vector<std::int64_t> gpus;  // physical cards, on `node` if one is named
  std::vector<std::string> reason;
  std::vector<Instant> since, seen;
  std::vector<std::optional<Instant>> until;  // null: at least until `seen`

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &SetAsideBatch::snapshot_id),
      MakeColumn("cluster", &SetAsideBatch::cluster),
      MakeColumn("source", &SetAsideBatch::source),
      MakeColumn("kind", &SetAsideBatch::kind),
      MakeColumn("namespace", &SetAsideBatch::ns),
      MakeColumn("name", &SetAsideBatch::name),
      MakeColumn("owner", &SetAsideBatch::owner),
      MakeColumn("node", &SetAsideBatch::node),
      MakeColumn("gpus", &SetAsideBatch::gpus),
      MakeColumn("reason", &SetAsideBatch::reason),
      MakeColumn("since_at", &SetAsideBatch::since),
      MakeColumn("seen_at", &SetAsideBatch::seen),
      MakeColumn("until_at", &SetAsideBatch::until),
  };
};

// A claim while it exists (uid ""), and who mounted it when. The key is (cluster, ns, claim,
// uid).
struct VolumeBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<Symbol> cluster;
  std::vector<std::string> ns, claim;
  std::vector<std::string> volume_id;  // as the bill names it ("vol-0abc"); "" if unknown
  std::vector<std::string> storage_class;
  std::vector<std::int64_t> bytes;                           // capacity, else what was asked for
  std::vector<std::string> uid;                              // of the pod that mounts it, or ""
  std::vector<std::string> workload_kind, workload, labels;  // of that pod; of the claim if none
  std::vector<Instant> begin;
  std::vector<std::optional<Instant>> until;  // null: still

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &VolumeBatch::snapshot_id),
      MakeColumn("cluster", &VolumeBatch::cluster),
      MakeColumn("namespace", &VolumeBatch::ns),
      MakeColumn("claim", &VolumeBatch::claim),
      MakeColumn("volume_id", &VolumeBatch::volume_id),
      MakeColumn("storage_class", &VolumeBatch::storage_class),
      MakeColumn("bytes", &VolumeBatch::bytes),
      MakeColumn("uid", &VolumeBatch::uid),
      MakeColumn("workload_kind", &VolumeBatch::workload_kind),
      MakeColumn("workload", &VolumeBatch::workload),
      MakeColumn("labels", &VolumeBatch::labels),
      MakeColumn("begin_at", &VolumeBatch::begin),
      MakeColumn("until_at", &VolumeBatch::until),
  };
};

}  // namespace plimsoll
