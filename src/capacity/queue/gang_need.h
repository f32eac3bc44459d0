// GangNeed and GangPlaces: what a gang asks of nodes, and what it has of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/model/training_job.h"

namespace plimsoll {

struct GangNeed {
  PodShape shape;
  std::int32_t pods = 1;
  std::int32_t pods_min = 1;  // it takes as many as there is room for, at least these
  TopologyRequest topology;

  friend bool operator==(const GangNeed&, const GangNeed&) = default;
};

struct PodsOnNode {
  NodeId node = 0;
  std::int32_t pods = 0;
  GpuSet gpus = 0;  // of all of them
  friend bool operator==(const PodsOnNode&, const PodsOnNode&) = default;
};
using GangPlaces = std::vector<PodsOnNode>;

inline std::int32_t PodsOf(const GangPlaces& places) {
  std::int32_t pods = 0;
  for (const PodsOnNode& place : places) pods += place.pods;
  return pods;
}

// Whether a pod has a part of a GPU rather than whole ones.
constexpr bool SharesGpu(const PodShape& shape) {
  return shape.gpus > 0 && (shape.gpu_milli < kMilliPerGpu || shape.mig_profile != kNoMigProfile);
}

// Whether room for `a` pods suits a gang of `pods` better than room for `b`: of rooms that suffice
// the smaller one, else the larger.
constexpr bool Suits(std::int64_t a, std::int64_t b, std::int64_t pods) {
  if ((a >= pods) != (b >= pods)) return a >= pods;
  return a >= pods ? a < b : a > b;
}

}  // namespace plimsoll
