#include "capacity/quota/head_order.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "capacity/quota/fair_share.h"

namespace plimsoll {
namespace {

// The node with the share that it would have with the head that it nominates.
struct Entrant {
  std::size_t head = 0;
  QuotaNode node = 0;
  FairShare share;
  bool borrows = false;  // of what the head asks for
};

}  // namespace

HeadOrder::HeadOrder(std::vector<OrderedHead> heads, const QuotaRules& rules)
    : heads_(std::move(heads)), rules_(rules) {
  for (std::size_t i = 0; i < heads_.size(); ++i) left_.push_back(i);
  std::sort(left_.begin(), left_.end(), [&](std::size_t a, std::size_t b) {
    if (!rules_.fair_sharing && heads_[a].borrowing != heads_[b].borrowing) {
      return heads_[a].borrowing > heads_[b].borrowing;
    }
    return GoesFirst(b, a);
  });
}

bool HeadOrder::GoesFirst(std::size_t a, std::size_t b) const {
  const auto key = [&](const QuotaRequest& one) {
    const std::int64_t priority =
        rules_.priority_sorting_within_cohort ? -std::int64_t{one.priority} : 0;
    return std::tuple(priority, one.queued, one.id);
  };
  return key(*heads_[a].request) < key(*heads_[b].request);
}

std::optional<std::size_t> HeadOrder::Next(QuotaState& state) {
  if (left_.empty()) return std::nullopt;
  std::size_t next = left_.back();
  if (rules_.fair_sharing && state.tree().HasParent(heads_[next].request->queue)) {
    next = FairWinner(state);
  }
  left_.erase(std::find(left_.begin(), left_.end(), next));
  return next;
}

// Of the tree of the head that would be next by priority and time.
std::size_t HeadOrder::FairWinner(QuotaState& state) const {
  const QuotaTree& tree = state.tree();
  const QuotaNode root = tree.Root(heads_[left_.back()].request->queue);
  const auto is_better = [&](const Entrant& a, const Entrant& b) {
    if (rules_.fair_sharing_prioritize_non_borrowing && a.borrows != b.borrows) return b.borrows;
    const auto order = Compare(a.share, b.share);
    return order == 0 ? GoesFirst(a.head, b.head) : order < 0;
  };
  // best[n]: of the children of n, by their own shares.
  std::vector<std::optional<Entrant>> best(tree.size());
  const auto enter = [&](std::size_t head, QuotaNode node) {
    const OrderedHead& one = heads_[head];
    state.AddUsage(one.request->queue, one.usage);
    const Entrant entrant = {head, node, ShareOf(tree, node), BorrowsAny(tree, node, one.usage)};
    state.RemoveUsage(one.request->queue, one.usage);
    std::optional<Entrant>& at = best[tree.node(node).parent];
    if (!at || is_better(entrant, *at)) at = entrant;
  };
  for (const std::size_t head : left_) {
    const QuotaNode queue = heads_[head].request->queue;
    if (tree.HasParent(queue) && tree.Root(queue) == root) enter(head, queue);
  }
  // Cohorts from the lowest up: a cohort's entrant is the best of its children.
  std::vector<QuotaNode> cohorts;
  for (QuotaNode node = static_cast<QuotaNode>(tree.queues()); node < tree.size(); ++node) {
    if (tree.HasParent(node) && tree.Root(node) == root) cohorts.push_back(node);
  }
  std::stable_sort(cohorts.begin(), cohorts.end(), [&](QuotaNode a, QuotaNode b) {
    return tree.node(a).height < tree.node(b).height;
  });
  for (const QuotaNode cohort : cohorts) {
    if (best[cohort]) enter(best[cohort]->head, cohort);
  }
  PLIMSOLL_CHECK(best[root].has_value());
  return best[root]->head;
}

}  // namespace plimsoll
