// EvictionSearch: what classical and fair preemption share: who is a candidate, in which order,
// and taking workloads off the tree until another fits. Part of FindVictims.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "capacity/quota/preemption.h"

namespace plimsoll {

class EvictionSearch {
 public:
  // All three outlive the object.
  EvictionSearch(QuotaState& state, const Preemptor& preemptor, const QuotaRules& rules)
      : state_(state), preemptor_(preemptor), rules_(rules) {}

  QuotaState& state() { return state_; }
  const QuotaState& state() const { return state_; }
  const QuotaTree& tree() const { return state_.tree(); }
  const Preemptor& preemptor() const { return preemptor_; }
  const QuotaRules& rules() const { return rules_; }
  const QueuePreemption& policy() const { return tree().node(preemptor_.queue).preemption; }

  // Whether the policy lets the workload be evicted, and it holds any of what is contested.
  bool IsCandidate(const AdmittedWorkload& workload, PreemptionPolicy policy) const;
  // Those that go first: already evicted, of other queues, of a lower priority, with quota for a
  // shorter time, of a smaller id.
  bool GoesFirst(QuotaHandle a, QuotaHandle b) const;

  void Take(QuotaHandle workload, PreemptionReason reason);
  // Whether the preemptor fits now; without borrowing: within its queue's own quota.
  bool Fits(bool may_borrow) const;
  // Puts back whom it can, the last taken first, and restores the tree. REQUIRES: Fits
  std::vector<Victim> FillBack(bool may_borrow);
  // Puts all back.
  void GiveUp();

 private:
  QuotaState& state_;
  const Preemptor& preemptor_;
  const QuotaRules& rules_;
  std::vector<Victim> taken_;
};

std::vector<Victim> ClassicalVictims(EvictionSearch& search);
std::vector<Victim> FairVictims(EvictionSearch& search);

}  // namespace plimsoll
