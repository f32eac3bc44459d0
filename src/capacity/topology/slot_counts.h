// SlotCounts: how many pods of one shape, and how many whole slices of them, each domain of a
// cluster takes now.
//
// A slice is `slice_pods` pods within one domain of the slice level: a domain of that level has
// floor(pods / slice_pods) of them, one above the sum of those within it, one below none. Brought
// up to date node by node; equal to what Refresh counts anew at any time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capacity/topology/domain_order.h"
#include "capacity/topology/gang.h"
#include "capacity/topology/slot_index.h"

namespace plimsoll {

struct SliceShape {
  PodShape pod;
  std::int32_t slice_pods = 1;    // 1: no slices
  std::uint32_t slice_level = 0;  // levels() is the node

  friend bool operator==(const SliceShape&, const SliceShape&) = default;
};

// What a request counts in: its slices, or single pods on a node each.
SliceShape SliceShapeOf(const GangRequest& request, std::uint32_t levels);

class SlotCounts {
 public:
  SlotCounts(const Cluster& cluster, const DomainOrder& order, const SliceShape& shape);

  // Those of `other` for a copy of its cluster; the order is shared.
  SlotCounts(const SlotCounts& other, const Cluster& copy) : SlotCounts(other) { cluster_ = &copy; }

  const SliceShape& shape() const { return shape_; }

  // Counts every node anew.
  void Refresh();
  // Counts one node anew, and what holds it.
  void Update(NodeId node) { SetSlots(node, cluster_->Slots(node, shape_.pod)); }

  // By place in the order; of domains, or of nodes where level is levels().
  std::span<const std::int64_t> pods(std::uint32_t level) const { return pods_[level]; }
  std::span<const std::int64_t> slices(std::uint32_t level) const { return slices_[level]; }
  std::int64_t total_pods() const { return total_pods_; }  // of all nodes, those in no domain too
  std::int64_t total_slices() const;                       // of the widest level

  // Nodes by their slots; kept up to date from the first call on.
  const SlotIndex& nodes_by_slots();

  std::uint64_t seen = 0;  // how many changes of the cluster are in these counts

 private:
  void SetSlots(NodeId node, std::int64_t slots);

  const Cluster* cluster_;
  const DomainOrder* order_;
  SliceShape shape_;
  std::vector<std::vector<std::int64_t>> pods_, slices_;
  std::int64_t total_pods_ = 0;
  std::optional<SlotIndex> index_;
};

}  // namespace plimsoll
