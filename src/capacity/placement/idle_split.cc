// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/idle_split.h"

#include <algorithm>

#include "base/check.h"

namespace plimsoll {
namespace {

// How many such pods the node's GPUs alone would take.
std::int64_t SlotsByGpu(const Cluster& cluster, NodeId id, const PodShape& shape) {
  PodShape bare = shape;
  bare.cpu_milli = 0;
  bare.memory_mib = 0;
  return cluster.Slots(id, bare);
}

}  // namespace

IdleSplit SplitIdle(const Cluster& cluster, NodeId id, const PodShape& shape) {
  PLIMSOLL_CHECK(shape.gpus > 0);
  IdleSplit split;
  const Cluster::Free& free = cluster.free(id);
  if (!free.up) {
    split.down = free.gpu_milli;
    return split;
  }
  if (!Accepts(shape.flavors, cluster.node(id).flavor)) {
    split.other_flavor = free.gpu_milli;
    return split;
  }
  const std::int64_t by_gpu = SlotsByGpu(cluster, id, shape);
  split.pods = cluster.Slots(id, shape);
  split.usable = split.pods * GpuMilli(shape);
  split.lacks_cpu = (by_gpu - split.pods) * GpuMilli(shape);
  const std::int64_t left = free.gpu_milli - by_gpu * GpuMilli(shape);
  if (shape.gpu_milli == kMilliPerGpu) {
    split.stranded = (free.whole_gpus - by_gpu * shape.gpus) * std::int64_t{kMilliPerGpu};
  }
  split.fractional = left - split.stranded;
  return split;
}

IdleSplit SplitIdle(const Cluster& cluster, const PodShape& shape) {
  IdleSplit all;
  for (NodeId id = 0; id < cluster.size(); ++id) {
    const IdleSplit node = SplitIdle(cluster, id, shape);
    all.down += node.down;
    all.other_flavor += node.other_flavor;
    all.fractional += node.fractional;
    all.stranded += node.stranded;
    all.lacks_cpu += node.lacks_cpu;
    all.usable += node.usable;
    all.pods += node.pods;
  }
  return all;
}

}  // namespace plimsoll
