// QuotaReport: what a person asks of quotas: who lacks how much, who is starved by whom, and
// whether more is promised than there is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "capacity/quota/preemption.h"
#include "capacity/quota/quota_state.h"

namespace plimsoll {

// What waits in a queue.
struct PendingDemand {
  QuotaNode queue = 0;
  QuotaCell cell = 0;
  std::int64_t amount = 0;
};

struct QuotaBalance {
  QuotaNode queue = 0;
  QuotaCell cell = 0;
  std::int64_t nominal = 0;
  std::int64_t reserved = 0;
  std::int64_t borrowed = 0;   // reserved above nominal
  std::int64_t available = 0;  // at once, borrowed included; at least 0
  std::int64_t pending = 0;
  std::int64_t shortage = 0;  // pending above available
  // Waits below its nominal quota, while others of its cohort tree hold more than theirs.
  bool is_starved = false;

  friend bool operator==(const QuotaBalance&, const QuotaBalance&) = default;
};

// Of each queue and cell of its quotas, or that it uses or waits for, in the order of the tree.
std::vector<QuotaBalance> BalanceQuotas(const QuotaState& state,
                                        std::span<const PendingDemand> pending);

// Of one cell more is promised as nominal quota than the nodes have.
struct Overcommitment {
  QuotaCell cell = 0;
  std::int64_t quota = 0;     // of all queues and cohorts
  std::int64_t capacity = 0;  // below it
};
// `capacity`: a cell each; kNoCapacity where it is not known.
inline constexpr std::int64_t kNoCapacity = -1;
std::vector<Overcommitment> FindOvercommitments(const QuotaTree& tree,
                                                std::span<const std::int64_t> capacity);

// What evicting these frees of a cell, and how much of it the workload needed beyond what was
// there: freed above needed is the overshoot.
struct Overshoot {
  std::int64_t needed = 0;
  std::int64_t freed = 0;
};
Overshoot OvershootOf(const QuotaState& state, const Preemptor& preemptor,
                      std::span<const Victim> victims, QuotaCell cell);

}  // namespace plimsoll
