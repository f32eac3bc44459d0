#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "capacity/quota/eviction_search.h"
#include "capacity/quota/fair_share.h"

namespace plimsoll {
namespace {

// From which queue to take next: from the root down, at each cohort the child with the greatest
// share that has candidates. A child at or below its quota is left alone for good; the
// preemptor's own queue and the cohorts around it never are.
class FairTournament {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  FairTournament(const EvictionSearch& search, const std::vector<QuotaHandle>& candidates)
      : search_(search),
        tree_(search.tree()),
        own_(search.preemptor().queue),
        is_out_(tree_.size()),
        is_around_(tree_.size()),
        candidates_(candidates),
        next_(candidates.size(), kNone),
        first_(tree_.queues(), kNone),
        shares_(tree_.size()),
        is_ranked_(tree_.size()),
        ranked_(tree_.size() - tree_.queues()) {
    for (QuotaNode at = own_; at != kNoQuotaNode; at = tree_.node(at).parent) is_around_[at] = true;
    for (std::size_t i = candidates_.size(); i > 0; --i) {
      std::size_t& first = first_[search.state().workload(candidates_[i - 1]).queue];
      next_[i - 1] = std::exchange(first, i - 1);
    }
  }

  // kNoQuotaNode: nobody is left. REQUIRES: Pop or Drop between two calls
  QuotaNode Next() {
    if (!tree_.HasParent(own_)) return HasAny(own_) ? own_ : kNoQuotaNode;
    if (last_ != kNoQuotaNode) RankAgain(last_);
    const QuotaNode root = tree_.Root(own_);
    last_ = kNoQuotaNode;
    while (last_ == kNoQuotaNode && !is_out_[root]) last_ = Descend(root);
    return last_;
  }

  bool HasAny(QuotaNode queue) const { return first_[queue] != kNone; }
  QuotaHandle Pop(QuotaNode queue) {
    const std::size_t one = first_[queue];
    first_[queue] = next_[one];
    return candidates_[one];
  }
  void Drop(QuotaNode queue) { is_out_[queue] = true; }

  // As the tree is; kept until Touch says that a queue's usage has changed.
  const FairShare& Share(QuotaNode node) {
    std::optional<FairShare>& share = shares_[node];
    if (!share) share = ShareOf(tree_, node);
    return *share;
  }
  void Touch(QuotaNode queue) {
    for (QuotaNode at = queue; at != kNoQuotaNode; at = tree_.node(at).parent) shares_[at].reset();
  }

  // The two children of the lowest common cohort: around the preemptor, around the queue.
  std::pair<QuotaNode, QuotaNode> Rivals(QuotaNode queue) const {
    QuotaNode theirs = queue;
    while (!is_around_[tree_.node(theirs).parent]) theirs = tree_.node(theirs).parent;
    QuotaNode ours = own_;
    while (tree_.node(ours).parent != tree_.node(theirs).parent) ours = tree_.node(ours).parent;
    return {ours, theirs};
  }

 private:
  struct Best {
    QuotaNode node = kNoQuotaNode;
    FairShare share;
  };

  bool IsDone(QuotaNode queue) {
    return is_out_[queue] || !HasAny(queue) || (queue != own_ && Share(queue).ratio == 0);
  }

  // Of the greater share, or of equals the one whose candidate goes first.
  bool GoesBefore(QuotaNode a, QuotaNode b) {
    const auto order = Compare(Share(a), Share(b));
    if (order != 0) return order > 0;
    return search_.GoesFirst(candidates_[first_[a]], candidates_[first_[b]]);
  }

  Best BestQueue(QuotaNode cohort) {
    std::vector<QuotaNode>& ranked = ranked_[cohort - tree_.queues()];
    if (!is_ranked_[cohort]) {
      is_ranked_[cohort] = true;
      for (const QuotaNode queue : tree_.node(cohort).queues) {
        if (!IsDone(queue)) ranked.push_back(queue);
      }
      std::sort(ranked.begin(), ranked.end(),
                [&](QuotaNode a, QuotaNode b) { return GoesBefore(b, a); });
    }
    while (!ranked.empty() && IsDone(ranked.back())) ranked.pop_back();
    if (ranked.empty()) return {};
    return {ranked.back(), Share(ranked.back())};
  }

  // Only of the queue that the last walk led to share and candidates may have changed.
  void RankAgain(QuotaNode queue) {
    std::vector<QuotaNode>& ranked = ranked_[tree_.node(queue).parent - tree_.queues()];
    ranked.pop_back();  // it was the best
    if (IsDone(queue)) return;
    const auto at = std::partition_point(ranked.begin(), ranked.end(),
                                         [&](QuotaNode one) { return GoesBefore(queue, one); });
    ranked.insert(at, queue);
  }

  Best BestCohort(QuotaNode cohort) {
    Best best;
    for (const QuotaNode child : tree_.node(cohort).cohorts) {
      if (is_out_[child]) continue;
      const FairShare& share = Share(child);
      if (share.ratio == 0 && !is_around_[child]) {
        is_out_[child] = true;
      } else if (best.node == kNoQuotaNode || Compare(share, best.share) > 0) {
        best = {child, share};
      }
    }
    return best;
  }

  // kNoQuotaNode: the walk only found that some node is out.
  QuotaNode Descend(QuotaNode cohort) {
    const Best queue = BestQueue(cohort), below = BestCohort(cohort);
    if (queue.node == kNoQuotaNode && below.node == kNoQuotaNode) {
      is_out_[cohort] = true;
      return kNoQuotaNode;
    }
    const bool goes_down = below.node != kNoQuotaNode &&
                           (queue.node == kNoQuotaNode || Compare(below.share, queue.share) >= 0);
    return goes_down ? Descend(below.node) : queue.node;
  }

  const EvictionSearch& search_;
  const QuotaTree& tree_;
  QuotaNode own_;
  std::vector<bool> is_out_, is_around_;
  std::vector<QuotaHandle> candidates_;
  std::vector<std::size_t> next_, first_;  // candidate of the same queue; of a queue
  std::vector<std::optional<FairShare>> shares_;
  std::vector<bool> is_ranked_;                 // a cohort's queues are in ranked_
  std::vector<std::vector<QuotaNode>> ranked_;  // by cohort, the best last
  QuotaNode last_ = kNoQuotaNode;
};

class FairSearch {
 public:
  explicit FairSearch(EvictionSearch& search)
      : search_(search), tree_(search.tree()), own_(search.preemptor().queue) {}

  std::vector<Victim> Run() {
    std::vector<QuotaHandle> candidates = Candidates();
    if (candidates.empty()) return {};
    std::sort(candidates.begin(), candidates.end(),
              [&](QuotaHandle a, QuotaHandle b) { return search_.GoesFirst(a, b); });
    AddIncoming();  // shares are compared as if it were in
    const bool fits = Search(std::move(candidates));
    RemoveIncoming();
    if (fits) return search_.FillBack(true);
    search_.GiveUp();
    return {};
  }

 private:
  const QuotaRules& rules() const { return search_.rules(); }
  void AddIncoming() { search_.state().AddUsage(own_, search_.preemptor().usage); }
  void RemoveIncoming() { search_.state().RemoveUsage(own_, search_.preemptor().usage); }

  std::vector<QuotaHandle> Candidates() const {
    std::vector<QuotaHandle> out;
    Collect(own_, search_.policy().within_queue, out);
    const PreemptionPolicy reclaim = search_.policy().reclaim_within_cohort;
    if (reclaim == PreemptionPolicy::kNever || !tree_.HasParent(own_)) return out;
    CollectBelow(tree_.Root(own_), reclaim, out);
    return out;
  }

  void Collect(QuotaNode queue, PreemptionPolicy policy, std::vector<QuotaHandle>& out) const {
    const auto workloads = search_.state().workloads(queue);
    std::copy_if(workloads.begin(), workloads.end(), std::back_inserter(out), [&](QuotaHandle one) {
      return search_.IsCandidate(search_.state().workload(one), policy);
    });
  }

  void CollectBelow(QuotaNode cohort, PreemptionPolicy policy,
                    std::vector<QuotaHandle>& out) const {
    for (const QuotaNode child : tree_.node(cohort).cohorts) CollectBelow(child, policy, out);
    for (const QuotaNode queue : tree_.node(cohort).queues) {
      if (queue == own_ || tree_.IsWithinQuota(queue, search_.preemptor().contested)) continue;
      Collect(queue, policy, out);
    }
  }

  bool Search(std::vector<QuotaHandle> candidates) {
    const std::vector<FairStrategy>& strategies = rules().fair_strategies;
    PLIMSOLL_CHECK(!strategies.empty());
    if (RunFirst(candidates)) return true;
    // Victims of its own queue made the preemptor's share smaller: others may be fair game now.
    if (rules().fair_sharing_reevaluate_preemption_candidates && took_own_) {
      candidates = std::exchange(passed_over_, {});
      if (RunFirst(candidates)) return true;
    }
    return strategies.size() > 1 && RunSecond();
  }

  // Takes a candidate of the queue; true if with it all fits.
  bool TakeFits(FairTournament& tournament, QuotaHandle workload, PreemptionReason reason) {
    search_.Take(workload, reason);
    tournament.Touch(search_.state().workload(workload).queue);
    RemoveIncoming();
    const bool fits = search_.Fits(true);
    AddIncoming();
    return fits;
  }

  // Rule S2-a, or S2-b alone where that is the first strategy.
  bool RunFirst(const std::vector<QuotaHandle>& candidates) {
    FairTournament tournament(search_, candidates);
    const bool is_entitled = rules().fair_sharing_preempt_within_nominal &&
                             tree_.IsWithinQuota(own_, search_.preemptor().contested);
    for (QuotaNode queue = tournament.Next(); queue != kNoQuotaNode; queue = tournament.Next()) {
      if (queue == own_) {
        took_own_ = true;
        const QuotaHandle one = tournament.Pop(queue);
        if (TakeFits(tournament, one, PreemptionReason::kInClusterQueue)) return true;
      } else if (is_entitled) {
        const QuotaHandle one = tournament.Pop(queue);
        if (TakeFits(tournament, one, PreemptionReason::kInCohortReclamation)) return true;
      } else if (TakeFairly(tournament, queue)) {
        return true;
      }
    }
    return false;
  }

  // The first of the queue's candidates that the strategy lets go; true if with it all fits.
  bool TakeFairly(FairTournament& tournament, QuotaNode queue) {
    const auto [ours, theirs] = tournament.Rivals(queue);
    const FairShare share = tournament.Share(ours), before = tournament.Share(theirs);
    const bool is_final = rules().fair_strategies[0] == FairStrategy::kLessThanOrEqualToFinalShare;
    const auto order = Compare(share, before);
    const bool is_vain = order > 0 || (order == 0 && !is_final);  // theirs only becomes smaller
    while (tournament.HasAny(queue)) {
      const QuotaHandle one = tournament.Pop(queue);
      if (!is_vain && (!is_final || PassesFinal(share, theirs, one))) {
        return TakeFits(tournament, one, PreemptionReason::kInCohortFairSharing);
      }
      passed_over_.push_back(one);
    }
    return false;
  }

  // Whether the share is at most theirs without the workload.
  bool PassesFinal(const FairShare& share, QuotaNode theirs, QuotaHandle workload) {
    search_.state().RemoveUsage(workload);
    const bool passes = Compare(share, ShareOf(tree_, theirs)) <= 0;
    search_.state().AddUsage(workload);
    return passes;
  }

  // Rule S2-b, at most one of a queue.
  bool RunSecond() {
    FairTournament tournament(search_, passed_over_);
    for (QuotaNode queue = tournament.Next(); queue != kNoQuotaNode; queue = tournament.Next()) {
      const auto [ours, theirs] = tournament.Rivals(queue);
      const bool passes = Compare(tournament.Share(ours), tournament.Share(theirs)) < 0;
      const QuotaHandle one = tournament.Pop(queue);
      if (passes && TakeFits(tournament, one, PreemptionReason::kInCohortFairSharing)) return true;
      tournament.Drop(queue);
    }
    return false;
  }

  EvictionSearch& search_;
  const QuotaTree& tree_;
  QuotaNode own_;
  std::vector<QuotaHandle> passed_over_;
  bool took_own_ = false;
};

}  // namespace

std::vector<Victim> FairVictims(EvictionSearch& search) { return FairSearch(search).Run(); }

}  // namespace plimsoll
