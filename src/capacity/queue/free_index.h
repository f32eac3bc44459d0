// FreeIndex: nodes that are up by flavor and number of whole free GPUs, over all and by domain.
//
// What a gang of whole GPUs needs is read off counts; the nodes themselves come in the order
// tightest first. To be told of each change of a node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/queue/node_set.h"

namespace plimsoll {

class FreeIndex {
 public:
  explicit FreeIndex(const Cluster& cluster);

  void Refresh(const Cluster& cluster, NodeId node);

  std::int32_t gpus_max() const { return gpus_max_; }  // of the largest node
  std::uint32_t flavors() const { return flavors_; }
  const NodeSet& nodes(std::uint32_t flavor, std::int32_t whole) const {
    return nodes_[Bucket(flavor, whole)];
  }
  // Nodes that are up and share a GPU of which some part is free.
  const NodeSet& shared() const { return shared_; }

  // How many pods of `gpus` whole GPUs nodes of these flavors take by their GPUs alone: an upper
  // bound of what fits, exact without wishes for CPU and memory. REQUIRES: gpus > 0
  std::int64_t SlotsByGpu(FlavorSet flavors, std::int32_t gpus) const {
    return Slots(counts_.data(), flavors, gpus);
  }
  std::int64_t SlotsByGpu(DomainId domain, FlavorSet flavors, std::int32_t gpus) const {
    return Slots(&domain_counts_[domain * nodes_.size()], flavors, gpus);
  }

  // GPU milli that are free on nodes that are up, or that are down.
  std::int64_t FreeUp(FlavorSet flavors) const { return Sum(free_up_, flavors); }
  std::int64_t FreeDown(FlavorSet flavors) const { return Sum(free_down_, flavors); }

  std::span<const DomainId> domains(std::uint32_t level) const { return by_level_[level]; }
  // The first and the last node of a domain; others may lie between.
  struct Range {
    NodeId first, last;
  };
  Range range(DomainId domain) const { return ranges_[domain]; }

 private:
  static constexpr std::uint32_t kDown = ~std::uint32_t{0};
  std::size_t Bucket(std::uint32_t flavor, std::int32_t whole) const {
    return flavor * stride_ + static_cast<std::size_t>(whole);
  }
  std::int64_t Slots(const std::int32_t* counts, FlavorSet flavors, std::int32_t gpus) const;
  std::int64_t Sum(const std::vector<std::int64_t>& by_flavor, FlavorSet flavors) const;
  void Count(const Cluster& cluster, NodeId node, std::uint32_t bucket, std::int32_t by);

  std::int32_t gpus_max_ = 0;
  std::uint32_t flavors_ = 0;
  std::size_t stride_ = 1;
  std::vector<NodeSet> nodes_;               // by bucket
  std::vector<std::int32_t> counts_;         // by bucket
  std::vector<std::int32_t> domain_counts_;  // by domain and bucket
  NodeSet shared_;
  struct Seen {
    std::uint32_t bucket = kDown;
    bool up = false;
    std::int64_t free = 0;
  };
  std::vector<Seen> seen_;  // as counted
  std::vector<std::int64_t> free_up_, free_down_;
  std::vector<std::vector<DomainId>> by_level_;
  std::vector<Range> ranges_;
};

}  // namespace plimsoll
