// QuotaCycle: one scheduling cycle: the heads of the queues, at most one each, are nominated, put
// in order, and admitted or told whom they wait for, each seeing what those before it took.
//
//   QuotaCycle cycle(state, rules);
//   for (const QuotaDecision& decision : cycle.Run(heads, now)) ...
//
// Admits into the state and marks victims as evicted; the caller starts what was admitted, stops
// victims, and releases them once they are gone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "capacity/quota/flavor_assignment.h"

namespace plimsoll {

enum class QuotaVerdict : unsigned char {
  kAdmitted,
  kPreempting,    // victims are told to go; its quota is kept for this cycle
  kNoFit,         // see the assignment's reason
  kNoCandidates,  // it would need victims, and there are none
  kSkipped,       // another head took what it needed: try again in the next cycle
};
inline constexpr const char* kQuotaVerdictNames[] = {"Admitted", "Preempting", "NoFit",
                                                     "NoCandidates", "Skipped"};

struct QuotaDecision {
  std::size_t head = 0;  // index into the heads
  QuotaVerdict verdict = QuotaVerdict::kNoFit;
  Nomination nomination;
  QuotaHandle admitted = 0;        // of kAdmitted
  std::vector<Victim> evict = {};  // of kPreempting: victims that were not told to go before
};

// Where a workload that was evicted so goes in its queue: its old place. Only without the order
// by priority one that was evicted for a borrower goes behind it, or the two would take turns
// for ever (kueue#2821).
Instant QueuedAfterEviction(const AdmittedWorkload& workload, PreemptionReason reason, Instant now,
                            const QuotaRules& rules);

class QuotaCycle {
 public:
  // `state` and `rules` outlive the object.
  QuotaCycle(QuotaState& state, const QuotaRules& rules, PlacementHooks hooks = {});

  // In the order in which heads were processed. REQUIRES: at most one head a queue
  std::vector<QuotaDecision> Run(std::span<const QuotaRequest> heads, Instant now);

 private:
  QuotaDecision Process(const QuotaRequest& head, Nomination nomination, Instant now);
  void Preempt(const QuotaRequest& head, QuotaDecision& decision);
  bool OverlapsTaken(std::span<const Victim> victims) const;
  bool FitsWithout(const QuotaRequest& head, const Nomination& nomination);
  void KeepForUnreclaimable(const QuotaRequest& head, const FlavorAssignment& assignment);

  QuotaState& state_;
  const QuotaRules& rules_;
  PlacementHooks hooks_;
  std::vector<QuotaHandle> taken_;  // victims of heads before
  struct Kept {
    QuotaNode queue = 0;
    std::vector<QuotaAmount> usage;
  };
  std::vector<Kept> kept_;  // quota that is held for this cycle only
};

}  // namespace plimsoll
