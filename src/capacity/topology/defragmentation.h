// Defragmentation: which running jobs to move so that a gang fits in one domain, at what cost.
//
// Advice only. The cost is the GPU-time that moved jobs lose: what they did since their last
// checkpoint, the restart and the warm-up, times their GPUs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capacity/topology/gang.h"
#include "units/quantity.h"
#include "units/time.h"

namespace plimsoll {

// GPU-time that a restart of the job costs now, rounded up to the GPU-millisecond.
GpuHours RestartCost(const TrainingJob& job, Duration since_checkpoint);

struct MovableJob {
  std::vector<HeldPod> pods;
  GpuHours cost;        // of a move
  GangRequest request;  // where it may start again
};

struct DefragmentationAdvice {
  DomainId domain = kNoDomain;      // that is freed
  std::vector<std::uint32_t> move;  // jobs, by index; empty: the gang fits as it is
  std::vector<std::uint32_t> wait;  // of those, the ones that find no place once the gang has its
  GpuHours cost;                    // of all moves
  GpuHours cost_bound;              // no choice costs less
  std::int32_t gpus_moved = 0;      // cards that are drained; one of many parts counts once
  std::vector<NodePods> nodes;      // where the gang lies then
};

struct DefragmentationLimits {
  // Of the search for the cheapest choice, in jobs looked at; beyond it the advice is the best
  // one found so far, and cost_bound lies below cost.
  std::int64_t steps_max = 200'000;
};

// The cheapest set of jobs whose move makes room for the gang in one domain of its level; none
// of them could stay. Null if not even moving all of them does. Exact unless steps_max ends the
// search: then cost >= cost_bound says how far off it may be. REQUIRES: the gang requires a
// level of the tree; pods hold what they say, nobody else's do
std::optional<DefragmentationAdvice> AdviseDefragmentation(
    const Cluster& cluster, std::span<const MovableJob> jobs, const GangRequest& gang,
    const DefragmentationLimits& limits = {});

}  // namespace plimsoll
