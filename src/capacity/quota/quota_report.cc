#include "capacity/quota/quota_report.h"

#include <algorithm>

namespace plimsoll {
namespace {

// Whether a queue below the node, but this one, holds more than its nominal quota.
bool AnyBorrows(const QuotaTree& tree, QuotaNode node, QuotaNode but, QuotaCell cell) {
  const QuotaTree::Node& at = tree.node(node);
  return std::any_of(at.queues.begin(), at.queues.end(),
                     [&](QuotaNode queue) { return queue != but && tree.Borrows(queue, cell); }) ||
         std::any_of(at.cohorts.begin(), at.cohorts.end(),
                     [&](QuotaNode child) { return AnyBorrows(tree, child, but, cell); });
}

}  // namespace

std::vector<QuotaBalance> BalanceQuotas(const QuotaState& state,
                                        std::span<const PendingDemand> pending) {
  const QuotaTree& tree = state.tree();
  std::vector<std::int64_t> waiting(tree.queues() * tree.cells());
  for (const PendingDemand& one : pending) {
    waiting[one.queue * tree.cells() + one.cell] += one.amount;
  }
  std::vector<QuotaBalance> out;
  for (QuotaNode queue = 0; queue < tree.queues(); ++queue) {
    for (QuotaCell cell = 0; cell < tree.cells(); ++cell) {
      QuotaBalance one;
      one.queue = queue;
      one.cell = cell;
      one.nominal = tree.quota(queue, cell).nominal;
      one.reserved = tree.usage(queue, cell);
      one.pending = waiting[queue * tree.cells() + cell];
      if (!tree.quota(queue, cell).defined && one.reserved == 0 && one.pending == 0) continue;
      one.borrowed = std::max<std::int64_t>(0, one.reserved - one.nominal);
      one.available = std::max<std::int64_t>(0, tree.Available(queue, cell));
      one.shortage = std::max<std::int64_t>(0, one.pending - one.available);
      one.is_starved = one.shortage > 0 && one.reserved < one.nominal &&
                       AnyBorrows(tree, tree.Root(queue), queue, cell);
      out.push_back(one);
    }
  }
  return out;
}

std::vector<Overcommitment> FindOvercommitments(const QuotaTree& tree,
                                                std::span<const std::int64_t> capacity) {
  std::vector<Overcommitment> out;
  for (QuotaCell cell = 0; cell < tree.cells() && cell < capacity.size(); ++cell) {
    Overcommitment one = {cell, 0, capacity[cell]};
    for (QuotaNode node = 0; node < tree.size(); ++node)
      one.quota += tree.quota(node, cell).nominal;
    if (one.capacity != kNoCapacity && one.quota > one.capacity) out.push_back(one);
  }
  return out;
}

Overshoot OvershootOf(const QuotaState& state, const Preemptor& preemptor,
                      std::span<const Victim> victims, QuotaCell cell) {
  Overshoot out;
  for (const QuotaAmount& one : preemptor.usage) {
    if (one.cell == cell) out.needed += one.amount;
  }
  const std::int64_t there =
      std::max<std::int64_t>(0, state.tree().Available(preemptor.queue, cell));
  out.needed = std::max<std::int64_t>(0, out.needed - there);
  for (const Victim& victim : victims) {
    for (const QuotaAmount& one : state.workload(victim.workload).usage) {
      if (one.cell == cell) out.freed += one.amount;
    }
  }
  return out;
}

}  // namespace plimsoll
