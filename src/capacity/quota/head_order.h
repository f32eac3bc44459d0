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
  // `rules` and what the heads point to outlive the object.
  HeadOrder(std::vector<OrderedHead> heads, const QuotaRules& rules);

  // Index of the next head, each once; shares are taken from the state as it is now and left so.
  std::optional<std::size_t> Next(QuotaState& state);

 private:
  std::size_t FairWinner(QuotaState& state) const;
  bool GoesFirst(std::size_t a, std::size_t b) const;  // by priority, time, id

  std::vector<OrderedHead> heads_;
  const QuotaRules& rules_;
  std::vector<std::size_t> left_;  // classical: the last goes first
};

}  // namespace plimsoll
