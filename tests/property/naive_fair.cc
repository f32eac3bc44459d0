#include "property/naive_fair.h"

#include <algorithm>
#include <list>
#include <optional>
#include <set>
#include <tuple>

#include "capacity/quota/fair_share.h"

namespace plimsoll {
namespace {

struct Telling {
  QuotaState state;
  const Preemptor& in;
  const QuotaRules& rules;
  std::vector<Victim> victims = {};
  std::list<QuotaHandle> skipped = {};
  bool own_went = false;

  QuotaNode Parent(QuotaNode node) const { return state.tree().node(node).parent; }
  QuotaNode QueueOf(QuotaHandle one) const { return state.workload(one).queue; }
  FairShare Share(QuotaNode node) const { return ShareOf(state.tree(), node); }
  bool IsAround(QuotaNode node) const {
    for (QuotaNode at = in.queue; at != kNoQuotaNode; at = Parent(at)) {
      if (at == node) return true;
    }
    return false;
  }
  bool IsAboveQuota(QuotaNode queue) const {
    return std::any_of(in.contested.begin(), in.contested.end(), [&](QuotaCell cell) {
      return state.tree().usage(queue, cell) > state.tree().quota(queue, cell).nominal;
    });
  }

  bool MayGo(QuotaHandle handle) const {
    const AdmittedWorkload& one = state.workload(handle);
    const QueuePreemption& policy = state.tree().node(in.queue).preemption;
    const bool own = one.queue == in.queue;
    if (!own && (state.tree().Root(one.queue) != state.tree().Root(in.queue) ||
                 !state.tree().HasParent(in.queue) || !IsAboveQuota(one.queue))) {
      return false;
    }
    const bool holds = std::any_of(one.usage.begin(), one.usage.end(), [&](const QuotaAmount& a) {
      return std::count(in.contested.begin(), in.contested.end(), a.cell) > 0;
    });
    switch (own ? policy.within_queue : policy.reclaim_within_cohort) {
      case PreemptionPolicy::kNever:
        return false;
      case PreemptionPolicy::kAny:
        return holds;
      case PreemptionPolicy::kLowerPriority:
        return holds && one.priority < in.priority;
      case PreemptionPolicy::kLowerOrNewerEqualPriority:
        return holds && (one.priority < in.priority ||
                         (one.priority == in.priority && one.queued > in.queued));
    }
    return false;
  }

  bool Before(QuotaHandle x, QuotaHandle y) const {
    const AdmittedWorkload &a = state.workload(x), &b = state.workload(y);
    if (a.evicted != b.evicted) return a.evicted;
    if ((a.queue == in.queue) != (b.queue == in.queue)) return b.queue == in.queue;
    if (a.priority != b.priority) return a.priority < b.priority;
    if (a.reserved != b.reserved) return a.reserved > b.reserved;
    return a.id < b.id;
  }

  std::list<QuotaHandle> Candidates() const {
    std::list<QuotaHandle> out;
    for (QuotaNode queue = 0; queue < state.tree().queues(); ++queue) {
      for (const QuotaHandle one : state.workloads(queue)) {
        if (MayGo(one)) out.push_back(one);
      }
    }
    out.sort([&](QuotaHandle a, QuotaHandle b) { return Before(a, b); });
    return out;
  }

  static std::optional<QuotaHandle> FirstOf(const std::list<QuotaHandle>& left, QuotaNode queue,
                                            const Telling& telling) {
    for (const QuotaHandle one : left) {
      if (telling.QueueOf(one) == queue) return one;
    }
    return std::nullopt;
  }

  // Whose turn it is below the cohort; none if nobody's.
  std::optional<QuotaNode> Turn(QuotaNode cohort, const std::list<QuotaHandle>& left,
                                const std::set<QuotaNode>& out) const {
    std::optional<QuotaNode> best, best_queue;
    for (const QuotaNode queue : state.tree().node(cohort).queues) {
      const auto first = FirstOf(left, queue, *this);
      if (!first || out.contains(queue) || (Share(queue).ratio == 0 && queue != in.queue)) continue;
      const auto order = best ? Compare(Share(queue), Share(*best)) : std::weak_ordering::greater;
      if (order > 0 || (order == 0 && Before(*first, *FirstOf(left, *best, *this)))) best = queue;
    }
    best_queue = best;
    // A cohort wins ties with queues; of cohorts the first one. One whose children are all done
    // is passed over.
    std::set<QuotaNode> dead;
    while (true) {
      std::optional<QuotaNode> child;
      for (const QuotaNode one : state.tree().node(cohort).cohorts) {
        if (dead.contains(one) || (Share(one).ratio == 0 && !IsAround(one))) continue;
        if (!child || Compare(Share(one), Share(*child)) > 0) child = one;
      }
      if (!child || (best_queue && Compare(Share(*child), Share(*best_queue)) < 0)) return best;
      if (const auto queue = Turn(*child, left, out)) return queue;
      dead.insert(*child);
    }
  }

  bool Fits() {
    state.RemoveUsage(in.queue, in.usage);
    const bool fits = state.tree().Fits(in.queue, in.usage);
    state.AddUsage(in.queue, in.usage);
    return fits;
  }
  bool Evict(QuotaHandle one, PreemptionReason reason) {
    state.RemoveUsage(one);
    victims.push_back({one, reason});
    return Fits();
  }
  // The nodes just below the lowest cohort around both.
  std::pair<QuotaNode, QuotaNode> Rivals(QuotaNode queue) const {
    QuotaNode ours = in.queue, theirs = queue;
    while (!IsAround(Parent(theirs))) theirs = Parent(theirs);
    while (Parent(ours) != Parent(theirs)) ours = Parent(ours);
    return {ours, theirs};
  }

  bool Pass(std::list<QuotaHandle> left, bool is_second) {
    const bool entitled =
        !is_second && rules.fair_sharing_preempt_within_nominal && !IsAboveQuota(in.queue);
    const bool final_share = rules.fair_strategies[0] == FairStrategy::kLessThanOrEqualToFinalShare;
    std::set<QuotaNode> out;
    while (!left.empty()) {
      const auto queue = state.tree().HasParent(in.queue)
                             ? Turn(state.tree().Root(in.queue), left, out)
                             : std::optional<QuotaNode>(in.queue);
      if (!queue) return false;
      const QuotaHandle one = *FirstOf(left, *queue, *this);
      left.remove(one);
      if (*queue == in.queue) {
        own_went = true;
        if (Evict(one, PreemptionReason::kInClusterQueue)) return true;
        continue;
      }
      if (entitled) {
        if (Evict(one, PreemptionReason::kInCohortReclamation)) return true;
        continue;
      }
      const auto [ours, theirs] = Rivals(*queue);
      const FairShare before = Share(theirs), mine = Share(ours);
      state.RemoveUsage(one);
      const FairShare after = Share(theirs);
      state.AddUsage(one);
      const bool initial = is_second || !final_share;
      if (initial ? Compare(mine, before) < 0 : Compare(mine, after) <= 0) {
        if (Evict(one, PreemptionReason::kInCohortFairSharing)) return true;
      } else if (!is_second) {
        skipped.push_back(one);
        // The rest of the queue is asked before others get their turn.
        if (AskRest(left, *queue, mine, theirs)) return true;
      }
      if (is_second) out.insert(*queue);
    }
    return false;
  }

  bool AskRest(std::list<QuotaHandle>& left, QuotaNode queue, const FairShare& mine,
               QuotaNode theirs) {
    const bool final_share = rules.fair_strategies[0] == FairStrategy::kLessThanOrEqualToFinalShare;
    while (const auto one = FirstOf(left, queue, *this)) {
      left.remove(*one);
      const FairShare before = Share(theirs);
      state.RemoveUsage(*one);
      const FairShare after = Share(theirs);
      state.AddUsage(*one);
      if (final_share ? Compare(mine, after) <= 0 : Compare(mine, before) < 0) {
        return Evict(*one, PreemptionReason::kInCohortFairSharing);
      }
      skipped.push_back(*one);
    }
    return false;
  }
};

}  // namespace

std::vector<Victim> NaiveFairVictims(QuotaState state, const Preemptor& preemptor,
                                     const QuotaRules& rules) {
  Telling telling = {std::move(state), preemptor, rules};
  telling.state.AddUsage(preemptor.queue, preemptor.usage);
  bool fits = telling.Pass(telling.Candidates(), false);
  if (!fits && rules.fair_sharing_reevaluate_preemption_candidates && telling.own_went) {
    fits = telling.Pass(std::exchange(telling.skipped, {}), false);
  }
  if (!fits && rules.fair_strategies.size() > 1) fits = telling.Pass(telling.skipped, true);
  if (!fits) return {};
  // The last one evicted stays a victim; of the others, the latest are asked first.
  std::vector<Victim> kept = {telling.victims.back()};
  for (auto one = telling.victims.rbegin() + 1; one != telling.victims.rend(); ++one) {
    telling.state.AddUsage(one->workload);
    if (telling.Fits()) continue;
    telling.state.RemoveUsage(one->workload);
    kept.push_back(*one);
  }
  return kept;
}

}  // namespace plimsoll
