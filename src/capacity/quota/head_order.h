// HeadOrder: in which order a cycle looks at the heads of the queues.
//
// Classical: those that borrow less far first, then the higher priority, then the longer wait.
// Fair sharing: a tournament from the root; at each cohort the child with the lowest dominant
// share, its head's usage included, wins. Ties go to the smaller id.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capacity/quota/fair_share.h"
#include "capacity/quota/flavor_assignment.h"

namespace plimsoll {

// A head with what it would take and how far it would borrow.
struct OrderedHead {
  const QuotaRequest* request = nullptr;
  std::span<const QuotaAmount> usage;
  std::int32_t borrowing = 0;
};

class HeadOrder {
 public:
  // `rules` and what the heads point to outlive the object. REQUIRES: at most one head a queue
  HeadOrder(std::vector<OrderedHead> heads, const QuotaRules& rules);

  // Index of the next head, each once. Between two calls usage may change of the queue of the
  // head that the first one gave, and of no other; `state` is as before afterwards.
  std::optional<std::size_t> Next(QuotaState& state);

 private:
  // A node's best head, with the share that the node would have with it.
  struct Entrant {
    std::size_t head = 0;
    FairShare share;
    bool borrows = false;  // of what the head asks for
  };

  bool GoesFirst(std::size_t a, std::size_t b) const;  // by priority, time, id
  bool IsBetter(const Entrant& a, const Entrant& b) const;
  void Prepare(QuotaState& state);
  void EnterNode(QuotaState& state, QuotaNode node, std::size_t head);
  void EnterCohort(QuotaState& state, QuotaNode cohort);

  std::vector<OrderedHead> heads_;
  const QuotaRules& rules_;
  std::vector<std::size_t> left_;                 // classical: the last goes first
  std::vector<std::optional<Entrant>> entrants_;  // by node; fair only
  std::optional<QuotaNode> stale_;                // the queue of the last head
};

}  // namespace plimsoll
