// SPDX-License-Identifier: Apache-2.0
#include "capacity/model/cluster.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/check.h"

namespace plimsoll {

Cluster::Cluster(std::vector<std::string> flavors, DomainTree tree, std::vector<NodeSpec> nodes)
    : flavors_(std::move(flavors)), tree_(std::move(tree)), nodes_(std::move(nodes)) {
  PLIMSOLL_CHECK(flavors_.size() <= kFlavorsMax);
  for (const NodeSpec& node : nodes_) {
    PLIMSOLL_CHECK(node.flavor < flavors_.size() && node.gpus >= 0);
    PLIMSOLL_CHECK(node.gpus <= kGpusPerNodeMax);
    PLIMSOLL_CHECK(node.domains.empty() || node.domains.size() == tree_.levels().size());
    first_gpu_.push_back(gpu_milli_.size());
    gpu_milli_.insert(gpu_milli_.end(), static_cast<std::size_t>(node.gpus), kMilliPerGpu);
    const std::int64_t milli = std::int64_t{node.gpus} * kMilliPerGpu;
    free_.push_back({node.cpu_milli, node.memory_mib, milli, node.gpus, 0, true});
    gpu_milli_total_ += milli;
  }
  gpu_milli_free_ = gpu_milli_total_;
}

bool Cluster::Fits(NodeId id, const PodShape& shape) const {
  const Free& free = free_[id];
  if (!free.up || free.cpu_milli < shape.cpu_milli || free.memory_mib < shape.memory_mib) {
    return false;
  }
  if (!Accepts(shape.flavors, nodes_[id].flavor)) return false;
  if (shape.gpus == 0) return true;
  if (shape.gpu_milli == kMilliPerGpu) return free.whole_gpus >= shape.gpus;
  return std::ranges::any_of(gpu_milli(id), [&](auto milli) { return milli >= shape.gpu_milli; });
}

std::int32_t Cluster::Slots(NodeId id, const PodShape& shape) const {
  const Free& free = free_[id];
  if (!free.up || !Accepts(shape.flavors, nodes_[id].flavor)) return 0;
  std::int64_t slots = std::numeric_limits<std::int32_t>::max();
  if (shape.cpu_milli > 0) slots = std::min(slots, free.cpu_milli / shape.cpu_milli);
  if (shape.memory_mib > 0) slots = std::min(slots, free.memory_mib / shape.memory_mib);
  if (shape.gpus > 0 && shape.gpu_milli == kMilliPerGpu) {
    slots = std::min<std::int64_t>(slots, free.whole_gpus / shape.gpus);
  } else if (shape.gpus > 0) {
    std::int64_t shared = 0;
    for (const std::int32_t milli : gpu_milli(id)) shared += milli / shape.gpu_milli;
    slots = std::min(slots, shared);
  }
  return static_cast<std::int32_t>(std::max<std::int64_t>(slots, 0));
}

GpuSet Cluster::ChooseGpus(NodeId id, const PodShape& shape) const {
  const auto gpus = gpu_milli(id);
  GpuSet chosen = 0;
  if (shape.gpus > 0 && shape.gpu_milli < kMilliPerGpu) {
    std::size_t best = gpus.size();
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      if (gpus[i] < shape.gpu_milli) continue;
      if (best == gpus.size() || gpus[i] < gpus[best]) best = i;
    }
    PLIMSOLL_CHECK(best < gpus.size());
    return GpuSet{1} << best;
  }
  std::int32_t left = shape.gpus;
  for (std::size_t i = 0; i < gpus.size() && left > 0; ++i) {
    if (gpus[i] < kMilliPerGpu) continue;
    chosen |= GpuSet{1} << i;
    --left;
  }
  PLIMSOLL_CHECK(left == 0);
  return chosen;
}

void Cluster::Take(NodeId id, const PodShape& shape, GpuSet gpus) {
  Free& free = free_[id];
  PLIMSOLL_CHECK(free.up && std::popcount(gpus) == shape.gpus);
  PLIMSOLL_CHECK(free.cpu_milli >= shape.cpu_milli && free.memory_mib >= shape.memory_mib);
  free.cpu_milli -= shape.cpu_milli;
  free.memory_mib -= shape.memory_mib;
  for (GpuSet rest = gpus; rest != 0; rest &= rest - 1) {
    std::int32_t& milli =
        gpu_milli_[first_gpu_[id] + static_cast<std::size_t>(std::countr_zero(rest))];
    PLIMSOLL_CHECK(milli >= shape.gpu_milli);
    if (milli == kMilliPerGpu) --free.whole_gpus;
    milli -= shape.gpu_milli;
  }
  free.gpu_milli -= GpuMilli(shape);
  gpu_milli_free_ -= GpuMilli(shape);
  ++free.version;
}

void Cluster::Give(NodeId id, const PodShape& shape, GpuSet gpus) {
  Free& free = free_[id];
  PLIMSOLL_CHECK(std::popcount(gpus) == shape.gpus);
  free.cpu_milli += shape.cpu_milli;
  free.memory_mib += shape.memory_mib;
  PLIMSOLL_CHECK(free.cpu_milli <= nodes_[id].cpu_milli);
  PLIMSOLL_CHECK(free.memory_mib <= nodes_[id].memory_mib);
  for (GpuSet rest = gpus; rest != 0; rest &= rest - 1) {
    std::int32_t& milli =
        gpu_milli_[first_gpu_[id] + static_cast<std::size_t>(std::countr_zero(rest))];
    milli += shape.gpu_milli;
    PLIMSOLL_CHECK(milli <= kMilliPerGpu);
    if (milli == kMilliPerGpu) ++free.whole_gpus;
  }
  free.gpu_milli += GpuMilli(shape);
  gpu_milli_free_ += GpuMilli(shape);
  ++free.version;
}

void Cluster::SetUp(NodeId id, bool up) {
  if (free_[id].up == up) return;
  free_[id].up = up;
  ++free_[id].version;
}

}  // namespace plimsoll
