#include "capacity/quota/head_order.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace plimsoll {

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
  if (!rules_.fair_sharing) {
    const std::size_t next = left_.back();
    left_.pop_back();
    return next;
  }
  const QuotaTree& tree = state.tree();
  if (entrants_.empty()) Prepare(state);
  if (stale_) {
    entrants_[*stale_].reset();
    for (QuotaNode at = tree.node(*stale_).parent; at != kNoQuotaNode; at = tree.node(at).parent) {
      EnterCohort(state, at);
    }
  }
  // In the tree of the head that would be next by priority and time.
  const QuotaNode root = tree.Root(heads_[left_.back()].request->queue);
  PLIMSOLL_CHECK(entrants_[root].has_value());
  const std::size_t next = entrants_[root]->head;
  left_.erase(std::find(left_.begin(), left_.end(), next));
  stale_ = heads_[next].request->queue;
  return next;
}

bool HeadOrder::IsBetter(const Entrant& a, const Entrant& b) const {
  if (rules_.fair_sharing_prioritize_non_borrowing && a.borrows != b.borrows) return b.borrows;
  const auto order = Compare(a.share, b.share);
  return order == 0 ? GoesFirst(a.head, b.head) : order < 0;
}

void HeadOrder::Prepare(QuotaState& state) {
  const QuotaTree& tree = state.tree();
  entrants_.resize(tree.size());
  for (const std::size_t head : left_) EnterNode(state, heads_[head].request->queue, head);
  std::vector<QuotaNode> cohorts;
  for (auto node = static_cast<QuotaNode>(tree.queues()); node < tree.size(); ++node) {
    cohorts.push_back(node);
  }
  std::stable_sort(cohorts.begin(), cohorts.end(), [&](QuotaNode a, QuotaNode b) {
    return tree.node(a).height < tree.node(b).height;
  });
  for (const QuotaNode cohort : cohorts) EnterCohort(state, cohort);
}

void HeadOrder::EnterNode(QuotaState& state, QuotaNode node, std::size_t head) {
  const OrderedHead& one = heads_[head];
  state.AddUsage(one.request->queue, one.usage);
  entrants_[node] = {head, ShareOf(state.tree(), node), BorrowsAny(state.tree(), node, one.usage)};
  state.RemoveUsage(one.request->queue, one.usage);
}

// The best of its children, by their own shares.
void HeadOrder::EnterCohort(QuotaState& state, QuotaNode cohort) {
  const QuotaTree::Node& node = state.tree().node(cohort);
  const Entrant* best = nullptr;
  for (const auto* children : {&node.cohorts, &node.queues}) {
    for (const QuotaNode child : *children) {
      const std::optional<Entrant>& one = entrants_[child];
      if (one && (best == nullptr || IsBetter(*one, *best))) best = &*one;
    }
  }
  if (best == nullptr) {
    entrants_[cohort].reset();
  } else {
    EnterNode(state, cohort, best->head);
  }
}

}  // namespace plimsoll
