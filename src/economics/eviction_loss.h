// EvictionLoss: of a run's held time, what evictions cost: steps that had to be done again and
// the restarts. What any other failure lost is not in it; that would be lost on demand too.
//
// Attempts end, or fail and go on, at breaks. Steps that were done and not kept belong to the
// first break after them, start-up time to the last one before it. A break is an eviction if a
// node that the run was on was taken within ten minutes of it, for logs and clusters have
// different clocks and tell an end at different moments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "economics/training_account.h"
#include "units/time.h"

namespace plimsoll {

inline constexpr Duration kEvictionTolerance = Minutes(10);

struct EvictionLoss {
  std::vector<Window> recomputation, restart;  // held, by time
  std::int64_t evictions = 0;                  // breaks that were evictions
};

// `taken`: when nodes that the run was on were taken, in any order. Times are not cut to a window.
EvictionLoss LostToEvictions(const TrainingRun& run, std::span<const Instant> taken);

}  // namespace plimsoll
