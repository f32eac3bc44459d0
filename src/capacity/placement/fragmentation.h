// Fragmentation: what part of the idle GPUs the typical workload could not use as they lie.
//
// F_n(m) of node n and typical pod m is all idle GPU of the node if m cannot run there (no CPU,
// too few GPUs with enough left, another flavor, or m asks for no GPU at all), else what is idle
// on GPUs that have less left than m asks of each. F_n(M) is its mean over the typical pods, and
// the fragmentation ratio is F over the idle (Weng et al., "Beware of Fragmentation", USENIX ATC
// 2023). Exact: whole thousandths of GPUs times pods, divided only when shown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/placement/typical_pods.h"

namespace plimsoll {

// Why idle GPU is of no use to a pod; the quadrants of the paper: Q1, Q2, Q3, Q4, XL, XR, NA.
enum class IdleClass : unsigned char {
  kLacksBoth,    // Q1: neither CPU (or memory) nor GPU suffices
  kLacksGpu,     // Q2: GPU does not
  kUsable,       // Q3
  kLacksCpu,     // Q4: CPU (or memory) does not: stranded GPU
  kCpuPodFits,   // XL: the pod asks for no GPU, and fits
  kCpuPodLacks,  // XR: the pod asks for no GPU, and does not fit
  kWrongFlavor,  // NA
};
inline constexpr std::size_t kIdleClasses = 7;
std::string_view NameOf(IdleClass idle);  // "lacks_both", "lacks_gpu", "usable"...

struct Fragmentation {
  std::array<std::int64_t, kIdleClasses> by_class{};  // idle thousandths x typical pods
  std::int64_t pods = 0;                              // what by_class is divided by

  std::int64_t idle() const;        // idle thousandths x pods
  std::int64_t fragmented() const;  // of that, all but kUsable
  // Billionths of the idle GPUs that are fragmented; 0 where nothing is idle.
  std::int64_t ratio_ppb() const;
  void Add(const Fragmentation& other);
};

// What is free on one node, copied so that "what if" can be asked.
struct NodeIdle {
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::uint32_t flavor = 0;
  std::size_t gpus = 0;
  std::array<std::int32_t, kGpusPerNodeMax> gpu_milli;  // the first `gpus` are set
  std::array<CardSlices, kMigSlicesMax> slices;         // where a card can be cut
  const MigCard* card = nullptr;                        // null where none can

  NodeIdle(const Cluster& cluster, NodeId id);
  // As if the pod ran there. REQUIRES: it fits, on these GPUs
  void Take(const PodShape& shape, GpuSet gpus);
  bool IsCut(std::size_t gpu) const {
    return card != nullptr && gpu < kMigSlicesMax && !slices[gpu].empty();
  }
  std::int32_t Idle(std::size_t gpu) const {
    return IsCut(gpu) ? kMilliPerGpu - slices[gpu].milli : gpu_milli[gpu];
  }
};

class FragmentationMeasure {
 public:
  // Room to count in, which a caller keeps from one node to the next.
  struct Counted {
    std::int32_t fitting = 0;  // GPUs that have as much left
    std::int64_t slivers = 0;  // thousandths that are idle on the others
  };
  using Counts = std::vector<Counted>;  // by demand

  explicit FragmentationMeasure(TypicalPods typical);

  Fragmentation Of(const NodeIdle& node) const;
  Fragmentation Of(const Cluster& cluster) const;  // of all nodes that are up
  // Of(node).fragmented(), quickly.
  std::int64_t Fragmented(const NodeIdle& node, Counts& counts) const;
  const TypicalPods& typical() const { return typical_; }

 private:
  // Pods that ask as much of each GPU share what is counted of a node's.
  struct Demand {
    std::int32_t milli = 0;
    std::int32_t mig_profile = kNoMigProfile;
    friend bool operator==(const Demand&, const Demand&) = default;
  };
  std::int64_t Count(const NodeIdle& node, Counts& counts) const;  // returns what is idle
  IdleClass ClassOf(const NodeIdle& node, std::size_t pod, const Counts& counts) const;

  TypicalPods typical_;
  std::vector<Demand> demands_;
  std::vector<std::size_t> demand_of_;  // by typical pod
};

}  // namespace plimsoll
