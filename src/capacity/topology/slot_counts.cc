// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/slot_counts.h"

#include <numeric>

#include "base/check.h"

namespace plimsoll {

SliceShape SliceShapeOf(const GangRequest& request, std::uint32_t levels) {
  const TopologyRequest& topology = request.topology;
  if (topology.slice_pods <= 1) return {request.shape, 1, levels};
  return {request.shape, topology.slice_pods, topology.slice_level};
}

SlotCounts::SlotCounts(const Cluster& cluster, const DomainOrder& order, const SliceShape& shape)
    : cluster_(&cluster), order_(&order), shape_(shape) {
  PLIMSOLL_CHECK(shape.slice_pods >= 1 && shape.slice_level <= order.levels());
  for (std::uint32_t level = 0; level <= order.levels(); ++level) {
    pods_.emplace_back(order.size(level), 0);
    slices_.emplace_back(order.size(level), 0);
  }
  Refresh();
}

void SlotCounts::Refresh() {
  for (NodeId node = 0; node < cluster_->size(); ++node) Update(node);
}

void SlotCounts::SetSlots(NodeId node, std::int64_t slots) {
  const std::uint32_t levels = order_->levels(), place = order_->place_of(node);
  const std::int64_t more = slots - pods_[levels][place];
  if (more == 0) return;
  total_pods_ += more;
  if (index_.has_value()) index_->Move(place, slots - more, slots);
  const bool in_domains = place < order_->placed(levels);
  std::int64_t more_slices = 0;
  for (std::uint32_t up = 0; up <= (in_domains ? levels : 0); ++up) {
    const std::uint32_t level = levels - up;
    const std::uint32_t i = up == 0 ? place : order_->holder(level, place);
    pods_[level][i] += more;
    if (level == shape_.slice_level) {
      const std::int64_t now = pods_[level][i] / shape_.slice_pods;
      more_slices = now - slices_[level][i];
    }
    slices_[level][i] += more_slices;
  }
}

const SlotIndex& SlotCounts::nodes_by_slots() {
  if (!index_.has_value()) index_.emplace(pods_.back());
  return *index_;
}

std::int64_t SlotCounts::total_slices() const {
  return std::reduce(slices_[0].begin(), slices_[0].end(), std::int64_t{0});
}

}  // namespace plimsoll
