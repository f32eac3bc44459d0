// Cluster: the nodes of a fleet and what is free on each, GPU by GPU.
//
// It says what is where and refuses to give anything twice; who gets what is decided elsewhere
// (capacity/placement, capacity/queue). Amounts: CPU in milli, memory in MiB, GPUs in milli.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capacity/model/domain_tree.h"
#include "capacity/model/mig_cards.h"
#include "capacity/model/pod_shape.h"

namespace plimsoll {

using NodeId = std::uint32_t;

struct NodeSpec {
  std::string name;
  std::uint32_t flavor = 0;  // index into the cluster's flavors
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int32_t gpus = 0;
  std::vector<DomainId> domains;  // one a level of the tree, or none at all
};

// Which GPUs of a node a pod has: bit i is GPU i. Of a pod with a MIG instance the memory slices
// of one card: bit 8 g + s is slice s of GPU g, so that only the first 8 GPUs are ever cut.
using GpuSet = std::uint64_t;
inline constexpr std::int32_t kGpusPerNodeMax = 64;

class Cluster {
 public:
  // REQUIRES: at most kFlavorsMax flavors, kGpusPerNodeMax GPUs a node
  Cluster(std::vector<std::string> flavors, DomainTree tree, std::vector<NodeSpec> nodes);

  std::size_t size() const { return nodes_.size(); }
  const NodeSpec& node(NodeId id) const { return nodes_[id]; }
  const std::vector<std::string>& flavors() const { return flavors_; }
  const DomainTree& tree() const { return tree_; }

  struct Free {
    std::int64_t cpu_milli = 0;
    std::int64_t memory_mib = 0;
    std::int64_t gpu_milli = 0;   // of all its GPUs, shared ones too
    std::int32_t whole_gpus = 0;  // that nobody has a part of
    std::uint32_t version = 0;    // changes with each change of the node
    bool up = true;               // a node that is down gives nothing to anyone
    // Who is there: bit 0 is a pod with a part of a GPU, bit k one with k whole ones.
    std::uint64_t kinds = 0;
  };
  const Free& free(NodeId id) const { return free_[id]; }
  // Thousandths that are free of each GPU of the node.
  std::span<const std::int32_t> gpu_milli(NodeId id) const {
    return {&gpu_milli_[first_gpu_[id]], static_cast<std::size_t>(nodes_[id].gpus)};
  }

  // Cards of these flavors may be cut into MIG instances, each when the first one asks for it.
  // REQUIRES: nothing is taken yet; a card for each flavor
  void SetMig(MigCards cards);
  const MigCards& mig() const { return mig_; }
  // Slices that are taken of each GPU; empty without SetMig. A card of which any is taken gives
  // nothing to pods without a MIG profile: its gpu_milli is 0 until the last one is given back.
  std::span<const CardSlices> slices(NodeId id) const {
    if (slices_.empty()) return {};
    return {&slices_[first_gpu_[id]], static_cast<std::size_t>(nodes_[id].gpus)};
  }

  bool Fits(NodeId id, const PodShape& shape) const;
  // How many such pods the node takes now.
  std::int32_t Slots(NodeId id, const PodShape& shape) const;

  // The GPUs that a pod of this shape gets if nobody says which: whole ones in their order, of
  // shared ones the fullest that it fits on, of cut ones too, and there the slices that leave the
  // largest instances possible. REQUIRES: Fits
  GpuSet ChooseGpus(NodeId id, const PodShape& shape) const;
  // REQUIRES: Fits; `gpus` are shape.gpus GPUs with gpu_milli free each
  void Take(NodeId id, const PodShape& shape, GpuSet gpus);
  // REQUIRES: taken so before
  void Give(NodeId id, const PodShape& shape, GpuSet gpus);
  // What runs on a node that goes down is still held until it is given back.
  void SetUp(NodeId id, bool up);

  // For those who keep something for each node: a mark of now, and the nodes that changed since a
  // mark, each as often as it did. Null where the mark is too long ago to say: look at all of them.
  std::uint64_t mark() const { return changes_begin_ + changes_.size(); }
  std::optional<std::span<const NodeId>> ChangedSince(std::uint64_t mark) const;

  std::int64_t gpu_milli_total() const { return gpu_milli_total_; }
  std::int64_t gpu_milli_free() const { return gpu_milli_free_; }  // of nodes that are down too

 private:
  const MigCut* CutOf(NodeId id, const PodShape& shape) const;
  bool IsCuttable(NodeId id, std::size_t gpu) const;  // cut, or whole
  std::int32_t MigSlots(NodeId id, const PodShape& shape) const;
  GpuSet ChooseSlices(NodeId id, const PodShape& shape) const;
  void TakeSlices(NodeId id, const PodShape& shape, GpuSet set);
  void GiveSlices(NodeId id, const PodShape& shape, GpuSet set);
  void Count(NodeId id, const PodShape& shape, int by);
  void Changed(NodeId id);

  std::vector<std::string> flavors_;
  DomainTree tree_;
  std::vector<NodeSpec> nodes_;
  std::vector<Free> free_;
  std::vector<std::size_t> first_gpu_;  // into gpu_milli_
  std::vector<std::int32_t> gpu_milli_;
  std::vector<std::int32_t> kind_pods_;  // gpus + 1 a node, at first_gpu_ + its id
  MigCards mig_;
  std::vector<CardSlices> slices_;  // as gpu_milli_, or empty
  std::vector<NodeId> changes_;     // the latest, from mark changes_begin_ on
  std::uint64_t changes_begin_ = 0;
  std::int64_t gpu_milli_total_ = 0;
  std::int64_t gpu_milli_free_ = 0;
};

}  // namespace plimsoll
