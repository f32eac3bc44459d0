#include <algorithm>
#include <utility>
#include <vector>

#include "capacity/quota/eviction_search.h"

namespace plimsoll {
namespace {

enum class Variant : unsigned char {
  kHierarchical,      // the preemptor is nearer to the quota that the candidate holds
  kWhileBorrowing,    // also where the preemptor's queue borrows in the end
  kWithoutBorrowing,  // only where it does not
  kWithinQueue,
};

PreemptionReason ReasonOf(Variant variant) {
  if (variant == Variant::kWithinQueue) return PreemptionReason::kInClusterQueue;
  if (variant == Variant::kWhileBorrowing) {
    return PreemptionReason::kInCohortReclaimWhileBorrowing;
  }
  return PreemptionReason::kInCohortReclamation;
}

struct Candidate {
  QuotaHandle workload = 0;
  QuotaNode lca = kNoQuotaNode;  // the lowest cohort around it and the preemptor
  Variant variant = Variant::kWithinQueue;
};

class ClassicalSearch {
 public:
  explicit ClassicalSearch(EvictionSearch& search)
      : search_(search), tree_(search.tree()), own_(search.preemptor().queue) {}

  std::vector<Victim> Run() {
    CollectOwn();
    CollectOthers();
    Sort();
    for (const bool may_borrow : Attempts()) {
      for (const Candidate& one : candidates_) {
        if (!IsStillFair(one, may_borrow)) continue;
        search_.Take(one.workload, ReasonOf(one.variant));
        if (search_.Fits(may_borrow)) return search_.FillBack(may_borrow);
      }
      search_.GiveUp();
    }
    return {};
  }

 private:
  void CollectOwn() {
    const PreemptionPolicy policy = search_.policy().within_queue;
    if (policy == PreemptionPolicy::kNever) return;
    for (const QuotaHandle one : search_.state().workloads(own_)) {
      if (!search_.IsCandidate(search_.state().workload(one), policy)) continue;
      candidates_.push_back({one, kNoQuotaNode, Variant::kWithinQueue});
    }
  }

  // From the queue's cohort to the root. Once the request fits into the quota of a subtree, the
  // preemptor has a right to it before all that lies outside.
  void CollectOthers() {
    if (search_.policy().reclaim_within_cohort == PreemptionPolicy::kNever) return;
    rest_.assign(search_.preemptor().usage.begin(), search_.preemptor().usage.end());
    bool has_right = FitsQuota(own_);
    QuotaNode below = kNoQuotaNode;
    for (QuotaNode at = tree_.node(own_).parent; at != kNoQuotaNode; at = tree_.node(at).parent) {
      CollectBelow(at, {at, below, has_right});
      has_right = FitsQuota(at) || has_right;
      below = at;
    }
  }

  // Also takes from rest_ what the node has free of its own.
  bool FitsQuota(QuotaNode node) {
    bool fits = true;
    for (QuotaAmount& one : rest_) {
      fits = fits && !tree_.Borrows(node, one.cell, one.amount);
      one.amount = std::max<std::int64_t>(0, one.amount - tree_.LocalAvailable(node, one.cell));
    }
    return fits;
  }

  struct Subtree {
    QuotaNode root = 0;
    QuotaNode done = kNoQuotaNode;  // collected before
    bool has_right = false;
  };

  void CollectBelow(QuotaNode cohort, const Subtree& subtree) {
    const auto contested = search_.preemptor().contested;
    for (const QuotaNode child : tree_.node(cohort).cohorts) {
      if (child == subtree.done || tree_.IsWithinQuota(child, contested)) continue;
      CollectBelow(child, subtree);
    }
    for (const QuotaNode queue : tree_.node(cohort).queues) {
      if (queue != own_ && !tree_.IsWithinQuota(queue, contested)) CollectQueue(queue, subtree);
    }
  }

  void CollectQueue(QuotaNode queue, const Subtree& subtree) {
    for (const QuotaHandle one : search_.state().workloads(queue)) {
      const AdmittedWorkload& workload = search_.state().workload(one);
      if (!search_.IsCandidate(workload, search_.policy().reclaim_within_cohort)) continue;
      Variant variant = Variant::kHierarchical;
      if (!subtree.has_right) {
        variant = MayBorrowFrom(workload) ? Variant::kWhileBorrowing : Variant::kWithoutBorrowing;
      }
      candidates_.push_back({one, subtree.root, variant});
    }
  }

  bool MayBorrowFrom(const AdmittedWorkload& workload) const {
    const QueuePreemption& policy = search_.policy();
    return policy.borrow_within_cohort && workload.priority < search_.preemptor().priority &&
           workload.priority <= policy.max_priority_threshold.value_or(workload.priority);
  }

  // Evicted ones of every class, then class by class.
  void Sort() {
    const auto class_of = [](Variant variant) {
      if (variant == Variant::kHierarchical) return 0;
      return variant == Variant::kWithinQueue ? 2 : 1;
    };
    std::sort(candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
      const bool stays_a = !search_.state().workload(a.workload).evicted;
      const bool stays_b = !search_.state().workload(b.workload).evicted;
      const auto key_a = std::pair(stays_a, class_of(a.variant));
      const auto key_b = std::pair(stays_b, class_of(b.variant));
      return key_a == key_b ? search_.GoesFirst(a.workload, b.workload) : key_a < key_b;
    });
  }

  // With and without borrowing, in the order in which Kueue tries them.
  std::vector<bool> Attempts() const {
    const bool forbidden = !search_.policy().borrow_within_cohort;
    const auto any = [&](auto is_it) {
      return std::any_of(candidates_.begin(), candidates_.end(), is_it);
    };
    const bool others =
        any([](const Candidate& one) { return one.variant != Variant::kWithinQueue; });
    if (!others || (forbidden && !IsUnderNominal())) return {true};
    const bool rights =
        any([](const Candidate& one) { return one.variant == Variant::kHierarchical; });
    if (forbidden && !rights) return {false, true};
    return {true, false};
  }

  bool IsUnderNominal() const {
    const auto contested = search_.preemptor().contested;
    return std::all_of(contested.begin(), contested.end(), [&](QuotaCell cell) {
      return tree_.usage(own_, cell) < tree_.quota(own_, cell).nominal;
    });
  }

  // Nobody is taken from a queue or cohort that has come down to its quota.
  bool IsStillFair(const Candidate& one, bool may_borrow) const {
    if (one.variant == Variant::kWithinQueue) return true;
    if (may_borrow && one.variant == Variant::kWithoutBorrowing) return false;
    const auto contested = search_.preemptor().contested;
    QuotaNode at = search_.state().workload(one.workload).queue;
    for (; at != one.lca; at = tree_.node(at).parent) {
      if (tree_.IsWithinQuota(at, contested)) return false;
    }
    return true;
  }

  EvictionSearch& search_;
  const QuotaTree& tree_;
  QuotaNode own_;
  std::vector<QuotaAmount> rest_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<Victim> ClassicalVictims(EvictionSearch& search) {
  return ClassicalSearch(search).Run();
}

}  // namespace plimsoll
