// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/fragmentation.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "units/money.h"

namespace plimsoll {

std::string_view NameOf(IdleClass idle) {
  switch (idle) {
    case IdleClass::kLacksBoth:
      return "lacks_both";
    case IdleClass::kLacksGpu:
      return "lacks_gpu";
    case IdleClass::kUsable:
      return "usable";
    case IdleClass::kLacksCpu:
      return "lacks_cpu";
    case IdleClass::kCpuPodFits:
      return "cpu_pod_fits";
    case IdleClass::kCpuPodLacks:
      return "cpu_pod_lacks_cpu";
    case IdleClass::kWrongFlavor:
      return "wrong_flavor";
  }
  return "";
}

std::int64_t Fragmentation::idle() const {
  return std::accumulate(by_class.begin(), by_class.end(), std::int64_t{0});
}

std::int64_t Fragmentation::fragmented() const {
  return idle() - by_class[static_cast<std::size_t>(IdleClass::kUsable)];
}

std::int64_t Fragmentation::ratio_ppb() const {
  if (idle() == 0) return 0;
  return static_cast<std::int64_t>(
      DivideHalfEven(int128{fragmented()} * 1'000'000'000, int128{idle()}));
}

void Fragmentation::Add(const Fragmentation& other) {
  for (std::size_t i = 0; i < kIdleClasses; ++i) by_class[i] += other.by_class[i];
  pods = std::max(pods, other.pods);
}

NodeIdle::NodeIdle(const Cluster& cluster, NodeId id)
    : cpu_milli(cluster.free(id).cpu_milli),
      memory_mib(cluster.free(id).memory_mib),
      flavor(cluster.node(id).flavor) {
  const auto left = cluster.gpu_milli(id);
  gpus = left.size();
  std::ranges::copy(left, gpu_milli.begin());
  const auto taken = cluster.slices(id);
  if (taken.empty()) return;
  card = &cluster.mig().flavors[flavor];
  std::ranges::copy(taken.first(std::min<std::size_t>(taken.size(), kMigSlicesMax)),
                    slices.begin());
}

void NodeIdle::Take(const PodShape& shape, GpuSet set) {
  cpu_milli -= shape.cpu_milli;
  memory_mib -= shape.memory_mib;
  if (shape.mig_profile != kNoMigProfile) {
    const auto gpu = static_cast<std::size_t>(std::countr_zero(set)) / kMigSlicesMax;
    CardSlices& taken = slices[gpu];
    taken.memory = static_cast<std::uint8_t>(taken.memory | (set >> (kMigSlicesMax * gpu)));
    taken.compute =
        static_cast<std::uint8_t>(taken.compute + card->Find(shape.mig_profile)->compute_slices);
    taken.milli = static_cast<std::int16_t>(taken.milli + shape.gpu_milli);
    gpu_milli[gpu] = 0;
    return;
  }
  for (GpuSet rest = set; rest != 0; rest &= rest - 1) {
    gpu_milli[static_cast<std::size_t>(std::countr_zero(rest))] -= shape.gpu_milli;
  }
}

FragmentationMeasure::FragmentationMeasure(TypicalPods typical) : typical_(std::move(typical)) {
  for (const TypicalPod& pod : typical_.pods) {
    const Demand demand{pod.shape.gpus == 0 ? 0 : pod.shape.gpu_milli, pod.shape.mig_profile};
    const auto found = std::ranges::find(demands_, demand);
    demand_of_.push_back(static_cast<std::size_t>(found - demands_.begin()));
    if (found == demands_.end()) demands_.push_back(demand);
  }
}

std::int64_t FragmentationMeasure::Count(const NodeIdle& node, Counts& counts) const {
  std::int64_t idle = 0;
  for (std::size_t gpu = 0; gpu < node.gpus; ++gpu) idle += node.Idle(gpu);
  counts.assign(demands_.size(), {});
  for (std::size_t i = 0; i < demands_.size(); ++i) {
    const Demand& demand = demands_[i];
    const MigCut* const cut = demand.mig_profile == kNoMigProfile || node.card == nullptr
                                  ? nullptr
                                  : node.card->Find(demand.mig_profile);
    for (std::size_t gpu = 0; gpu < node.gpus; ++gpu) {
      bool fits = node.gpu_milli[gpu] >= demand.milli && !node.IsCut(gpu);
      if (demand.mig_profile != kNoMigProfile) {
        fits = cut != nullptr && gpu < kMigSlicesMax &&
               (node.IsCut(gpu) || node.gpu_milli[gpu] == kMilliPerGpu) &&
               MigRoom(*node.card, node.slices[gpu], *cut) > 0;
      }
      if (fits) {
        ++counts[i].fitting;
      } else {
        counts[i].slivers += node.Idle(gpu);
      }
    }
  }
  return idle;
}

IdleClass FragmentationMeasure::ClassOf(const NodeIdle& node, std::size_t pod,
                                        const Counts& counts) const {
  const PodShape& shape = typical_.pods[pod].shape;
  const bool runs = node.cpu_milli >= shape.cpu_milli && node.memory_mib >= shape.memory_mib;
  if (shape.gpus == 0) return runs ? IdleClass::kCpuPodFits : IdleClass::kCpuPodLacks;
  if (!Accepts(shape.flavors, node.flavor)) return IdleClass::kWrongFlavor;
  if (counts[demand_of_[pod]].fitting >= shape.gpus) {
    return runs ? IdleClass::kUsable : IdleClass::kLacksCpu;
  }
  return runs ? IdleClass::kLacksGpu : IdleClass::kLacksBoth;
}

Fragmentation FragmentationMeasure::Of(const NodeIdle& node) const {
  Fragmentation result;
  result.pods = typical_.count;
  Counts counts;
  const std::int64_t idle = Count(node, counts);
  for (std::size_t i = 0; i < typical_.pods.size(); ++i) {
    const std::int64_t count = typical_.pods[i].count;
    const IdleClass idle_class = ClassOf(node, i, counts);
    std::int64_t usable = 0;
    if (idle_class == IdleClass::kUsable) {  // but not what is left on the other GPUs
      const std::int64_t slivers = counts[demand_of_[i]].slivers;
      result.by_class[static_cast<std::size_t>(IdleClass::kLacksGpu)] += count * slivers;
      usable = slivers;
    }
    result.by_class[static_cast<std::size_t>(idle_class)] += count * (idle - usable);
  }
  return result;
}

Fragmentation FragmentationMeasure::Of(const Cluster& cluster) const {
  Fragmentation all;
  all.pods = typical_.count;
  for (NodeId id = 0; id < cluster.size(); ++id) {
    if (cluster.free(id).up) all.Add(Of(NodeIdle(cluster, id)));
  }
  return all;
}

std::int64_t FragmentationMeasure::Fragmented(const NodeIdle& node, Counts& counts) const {
  const std::int64_t idle = Count(node, counts);
  std::int64_t fragmented = 0;
  for (std::size_t i = 0; i < typical_.pods.size(); ++i) {
    const bool usable = ClassOf(node, i, counts) == IdleClass::kUsable;
    fragmented += typical_.pods[i].count * (usable ? counts[demand_of_[i]].slivers : idle);
  }
  return fragmented;
}

}  // namespace plimsoll
