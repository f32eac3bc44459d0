// FindVictims: which workloads must go so that another one fits into its queue's quota.
//
// Kueue's classical preemption, or fair sharing's by dominant resource shares; see
// docs/guides/quota.md for the rules. Victims are few, not always fewest: candidates are taken in
// order until the workload fits, then those that need not go are put back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "capacity/quota/quota_state.h"

namespace plimsoll {

// As Kueue's condition Preempted names them.
enum class PreemptionReason : unsigned char {
  kInClusterQueue,
  kInCohortReclamation,
  kInCohortFairSharing,
  kInCohortReclaimWhileBorrowing,
};
inline constexpr const char* kPreemptionReasonNames[] = {"InClusterQueue", "InCohortReclamation",
                                                         "InCohortFairSharing",
                                                         "InCohortReclaimWhileBorrowing"};

struct Victim {
  QuotaHandle workload = 0;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;

  friend bool operator==(const Victim&, const Victim&) = default;
};

// What wants in. A workload is a candidate only if it uses a contested cell.
struct Preemptor {
  QuotaNode queue = 0;
  std::int32_t priority = 0;
  Instant queued;
  std::span<const QuotaAmount> usage;    // all that it needs
  std::span<const QuotaCell> contested;  // of it: what there is not enough of
  // Asked whenever quota would suffice: do its pods also fit on nodes if these were gone? Not
  // set: yes. (Kueue asks its topology search here.)
  std::function<bool(std::span<const Victim>)> places = {};
};

// None: evicting does not help, or no rule allows it. `state` is as before afterwards.
std::vector<Victim> FindVictims(QuotaState& state, const Preemptor& preemptor,
                                const QuotaRules& rules);

}  // namespace plimsoll
