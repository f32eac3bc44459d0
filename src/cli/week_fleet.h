// WeekFleet: the pools of a fleet as clusters of nodes on which holdings are taken and given back,
// with sums that follow each change.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocation/node_table.h"
#include "capacity/model/cluster.h"
#include "capacity/placement/fragmentation.h"
#include "catalog/catalog.h"
#include "ledger/facts.h"

namespace plimsoll {

// Nodes of one cluster and GPU model.
class WeekPool {
 public:
  // Of nodes whose cards are cut (MIG) only sums are known: which instance lies on which card is
  // not on record, so nothing is placed on them.
  WeekPool(std::string cluster_name, std::string gpu_model, bool is_mig)
      : cluster_name_(std::move(cluster_name)), gpu_model_(std::move(gpu_model)), is_mig_(is_mig) {}

  void AddNode(NodeSpec node, std::vector<std::string> topology);
  // After the last node: nobody is there, and no node exists yet.
  void Open();
  // REQUIRES: Open. Without any, nothing is said of what they could use.
  void SetTypical(std::span<const PodShape> pods);

  void SetExists(NodeId id, bool exists);
  void SetWell(NodeId id, bool well);
  // GPUs of the node that failed, one by one; they are nobody's.
  void SetFailed(NodeId id, std::int64_t gpus);

  // What a holding got of its node.
  struct Share {
    std::vector<std::pair<PodShape, GpuSet>> parts;
    std::int64_t micros = 0;  // of GPUs, on a node with MIG
  };
  // False: the node had less left than it says to hold.
  bool Hold(NodeId id, const HoldingBatch& held, std::size_t row, Share& share);
  void Give(NodeId id, const Share& share);

  // Adds up the time since the last call, then goes on to `now`.
  void Advance(Instant now);

  // Pods with that many thousandths of GPUs each that find a node now, up to `enough`.
  std::int64_t Slots(std::int64_t pod_milli, std::int64_t enough) const;
  std::int64_t idle_milli() const { return idle_milli_; }  // of nodes that are up
  std::int64_t down_milli() const;
  std::int64_t idle_mean_milli(Window window) const;
  // Billionths of the idle GPUs, 0 where nothing is idle; null without typical pods.
  std::optional<std::int64_t> unusable_ppb() const;
  std::optional<std::int64_t> unusable_mean_ppb() const;
  std::int64_t nodes() const;  // that exist
  std::int64_t gpus() const;

  const std::string& cluster_name() const { return cluster_name_; }
  const std::string& gpu_model() const { return gpu_model_; }
  bool is_mig() const { return is_mig_; }
  const Cluster& cluster() const { return *cluster_; }
  const std::optional<FragmentationMeasure>& measure() const { return measure_; }

 private:
  struct State {
    bool exists = false, well = true;
    Share failed;
    std::int64_t micros = 0;                    // held, with MIG
    std::int64_t idle_milli = 0, unusable = 0;  // as they count in the sums
    std::int32_t whole = 0;
  };
  bool HoldPart(NodeId id, PodShape shape, Share& share);
  bool HoldMicros(NodeId id, const HoldingBatch& held, std::size_t row, Share& share);
  std::int64_t FreeMilli(NodeId id) const;
  void Changed(NodeId id);

  std::string cluster_name_, gpu_model_;
  bool is_mig_ = false;
  std::vector<NodeSpec> specs_;
  std::vector<std::vector<std::string>> topology_;
  std::optional<Cluster> cluster_;
  std::optional<FragmentationMeasure> measure_;
  FragmentationMeasure::Counts counts_;
  std::vector<State> states_;
  std::array<std::int64_t, kGpusPerNodeMax + 1> by_whole_{};  // nodes by whole idle GPUs
  std::int64_t idle_milli_ = 0, unusable_ = 0;
  std::optional<Instant> at_;
  int128 idle_time_ = 0, unusable_time_ = 0;
};

// Where the row of a node lies among the pools.
struct PoolNode {
  std::size_t pool = 0;
  NodeId node = 0;
};

struct WeekFleet {
  std::vector<WeekPool> pools;  // by cluster and GPU model
  std::map<std::pair<Symbol, Symbol>, PoolNode> nodes;
  // When each node of the table exists; it is one of `nodes`.
  std::vector<std::pair<PoolNode, Window>> existence;

  const PoolNode* Find(Symbol cluster, Symbol node) const;
};

// Every node with GPUs once (rule S2 of allocation), with its typical pods.
WeekFleet FleetOf(const OccupancyFacts& facts, const Catalog& catalog, Window window);

}  // namespace plimsoll
