// PodShape: what one pod of a workload asks of the node that it runs on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plimsoll {

inline constexpr std::int32_t kMilliPerGpu = 1'000;
inline constexpr std::size_t kFlavorsMax = 64;  // of one cluster

// A pod that asks for no MIG instance.
inline constexpr std::int32_t kNoMigProfile = -1;

// A set of flavors: bit i is the cluster's flavor i.
using FlavorSet = std::uint64_t;
inline constexpr FlavorSet kAnyFlavor = ~FlavorSet{0};

constexpr bool Accepts(FlavorSet set, std::uint32_t flavor) { return ((set >> flavor) & 1U) != 0; }

struct PodShape {
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int32_t gpus = 0;                  // 0: a pod without GPUs
  std::int32_t gpu_milli = kMilliPerGpu;  // of each GPU, 1 ... 1000; below 1000 only with gpus = 1
  FlavorSet flavors = kAnyFlavor;
  // Index into MigCards::profiles of the cluster; then gpus is 1 and gpu_milli what the instance
  // has of a card's compute slices (MigMilli).
  std::int32_t mig_profile = kNoMigProfile;

  friend bool operator==(const PodShape&, const PodShape&) = default;
};

// What the pod takes of GPUs in all, in thousandths of one.
constexpr std::int64_t GpuMilli(const PodShape& shape) {
  return std::int64_t{shape.gpus} * shape.gpu_milli;
}

}  // namespace plimsoll
