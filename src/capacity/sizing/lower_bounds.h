// Lower bounds on a fleet: fewer GPUs cannot do, whatever the scheduler.
//
// They ignore fragmentation, failures and the order of the queue, so that the need is above them;
// a simulated answer below one is a bug. GPUs are whole, rounded up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capacity/sizing/demand.h"

namespace plimsoll {

inline constexpr std::int64_t kPerBillion = 1'000'000'000;

// Work: GPU time / (window x utilization). What keeps coming needs it in the long run; jobs of a
// history may end after the window. REQUIRES: window > 0, 0 < utilization <= kPerBillion
std::int64_t WorkBound(std::span<const Demand> demands, Duration window, std::int64_t utilization);

// Peak: the most GPUs held at once if every job starts when it is released (a server for
// everyone). Needed exactly for no wait at all; jobs that end as others begin do not meet.
struct PeakBound {
  std::int64_t gpus = 0;
  Instant at;  // the first time that so many are held
};
PeakBound PeakOf(std::span<const Demand> demands);

// Deadlines: for any t1 < t2, jobs released from t1 on and due by t2 need their work done within,
// so GPUs >= work / (t2 - t1). The worst interval of all, found in O(n log n) a step of Newton's.
// Jobs without a due time are left out, as are those due before release + run (`hopeless`).
struct DeadlineBound {
  std::int64_t gpus = 0;
  Window interval;
  std::int64_t hopeless = 0;
};
DeadlineBound DeadlineBoundOf(std::span<const Demand> demands);

// Gangs: the largest that must start, by the flavors it accepts and the level of the domain that
// it must lie in (null: anywhere). A domain, or the flavors together, must have so many GPUs.
struct GangBound {
  FlavorSet flavors = kAnyFlavor;
  std::optional<std::uint32_t> level;
  std::int64_t gpus = 0;
};
std::vector<GangBound> GangBounds(std::span<const Demand> demands);  // by (flavors, level)

// Bins: how many domains of `domain_gpus` the gangs of `level` need that run at once if none
// waits. For every size k: domains x floor(domain / k) >= gangs of k or more at once. Null if a
// gang is larger than a domain.
struct BinBound {
  std::int64_t domains = 0;
  std::int64_t gang_gpus = 0;  // the size k that needs most; 0: all sizes by their sum
};
std::optional<BinBound> BinBoundOf(std::span<const Demand> demands, std::uint32_t level,
                                   std::int64_t domain_gpus);

// Pinned: the jobs that accept no flavor outside a set need these bounds from it alone; one entry
// a set that some job names, ascending.
struct PinnedBound {
  FlavorSet flavors = kAnyFlavor;
  std::int64_t jobs = 0;
  std::int64_t work = 0;  // at full utilization of the window of all jobs
  std::int64_t gang = 0;
  PeakBound peak;
  DeadlineBound deadline;
};
std::vector<PinnedBound> PinnedBounds(std::span<const Demand> demands);

}  // namespace plimsoll
