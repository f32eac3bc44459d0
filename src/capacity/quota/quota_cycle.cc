#include "capacity/quota/quota_cycle.h"

#include <algorithm>
#include <utility>

#include "capacity/quota/head_order.h"

namespace plimsoll {

Instant QueuedAfterEviction(const AdmittedWorkload& workload, PreemptionReason reason, Instant now,
                            const QuotaRules& rules) {
  const bool steps_back = !rules.priority_sorting_within_cohort &&
                          reason == PreemptionReason::kInCohortReclaimWhileBorrowing;
  return steps_back ? now + Millis(1) : workload.queued;
}

QuotaCycle::QuotaCycle(QuotaState& state, const QuotaRules& rules, PlacementHooks hooks)
    : state_(state), rules_(rules), hooks_(std::move(hooks)) {}

std::vector<QuotaDecision> QuotaCycle::Run(std::span<const QuotaRequest> heads, Instant now) {
  std::vector<Nomination> nominations;
  nominations.reserve(heads.size());
  std::vector<OrderedHead> ordered;
  for (const QuotaRequest& head : heads) {
    nominations.push_back(Nominate(state_, head, rules_, hooks_));
    const FlavorAssignment& assignment = nominations.back().assignment;
    ordered.push_back({&head, assignment.usage, assignment.borrowing});
  }
  HeadOrder order(std::move(ordered), rules_);
  // The order looks at usage until its last head: nominations stay until then.
  std::vector<QuotaDecision> decisions;
  while (const std::optional<std::size_t> next = order.Next(state_)) {
    decisions.push_back(Process(heads[*next], nominations[*next], now));
    decisions.back().head = *next;
  }
  for (const Kept& one : kept_) state_.RemoveUsage(one.queue, one.usage);
  kept_.clear();
  taken_.clear();
  return decisions;
}

QuotaDecision QuotaCycle::Process(const QuotaRequest& head, Nomination nomination, Instant now) {
  QuotaDecision decision;
  decision.nomination = std::move(nomination);
  const Nomination& own = decision.nomination;
  const AssignmentMode mode = own.assignment.mode;
  if (mode == AssignmentMode::kNoFit) return decision;
  if (mode == AssignmentMode::kPreempt && own.victims.empty()) {
    decision.verdict = QuotaVerdict::kNoCandidates;
    KeepForUnreclaimable(head, own.assignment);
    return decision;
  }
  decision.verdict = QuotaVerdict::kSkipped;
  const bool fits = !OverlapsTaken(own.victims) && FitsWithout(head, own);
  if (fits && mode == AssignmentMode::kPreempt) {
    Preempt(head, decision);
  } else if (fits && (!hooks_.admit || hooks_.admit(head, own.assignment))) {
    decision.verdict = QuotaVerdict::kAdmitted;
    decision.admitted = state_.Admit(
        {head.id, head.queue, head.priority, head.queued, now, false, own.assignment.usage});
    return decision;
  }
  // The next cycle looks at all flavors again.
  decision.nomination.assignment.cursor.clear();
  decision.nomination.assignment.flavors_left = false;
  return decision;
}

void QuotaCycle::Preempt(const QuotaRequest& head, QuotaDecision& decision) {
  decision.verdict = QuotaVerdict::kPreempting;
  for (const Victim& victim : decision.nomination.victims) {
    taken_.push_back(victim.workload);
    if (state_.workload(victim.workload).evicted) continue;
    decision.evict.push_back(victim);
    state_.MarkEvicted(victim.workload);
  }
  state_.AddUsage(head.queue, decision.nomination.assignment.usage);
  kept_.push_back({head.queue, decision.nomination.assignment.usage});
}

bool QuotaCycle::OverlapsTaken(std::span<const Victim> victims) const {
  return std::any_of(victims.begin(), victims.end(), [&](const Victim& one) {
    return std::find(taken_.begin(), taken_.end(), one.workload) != taken_.end();
  });
}

// With all victims of this cycle gone, its own among them. REQUIRES: none of its own is taken
bool QuotaCycle::FitsWithout(const QuotaRequest& head, const Nomination& nomination) {
  for (const QuotaHandle one : taken_) state_.RemoveUsage(one);
  for (const Victim& one : nomination.victims) state_.RemoveUsage(one.workload);
  const bool fits = state_.tree().Fits(head.queue, nomination.assignment.usage);
  for (const QuotaHandle one : taken_) state_.AddUsage(one);
  for (const Victim& one : nomination.victims) state_.AddUsage(one.workload);
  return fits;
}

// Who needs victims and finds none keeps what the queue may have from lower priorities elsewhere;
// not where the queue can take back its quota at any time.
void QuotaCycle::KeepForUnreclaimable(const QuotaRequest& head,
                                      const FlavorAssignment& assignment) {
  const QuotaTree& tree = state_.tree();
  if (tree.node(head.queue).preemption.reclaim_within_cohort == PreemptionPolicy::kAny) return;
  Kept kept = {head.queue, assignment.usage};
  for (QuotaAmount& one : kept.usage) {
    const QuotaTree::Quota& quota = tree.quota(head.queue, one.cell);
    const bool borrows = assignment.borrowing > 0;
    if (borrows && !quota.borrowing_limit) continue;
    const std::int64_t most = quota.nominal + (borrows ? *quota.borrowing_limit : 0);
    one.amount = std::clamp<std::int64_t>(most - tree.usage(head.queue, one.cell), 0, one.amount);
  }
  state_.AddUsage(kept.queue, kept.usage);
  kept_.push_back(std::move(kept));
}

}  // namespace plimsoll
