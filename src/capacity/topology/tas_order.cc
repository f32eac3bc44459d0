// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_order.h"

#include <algorithm>
#include <tuple>

namespace plimsoll {

TasDomains TasOrder::Sorted(std::span<const std::uint32_t> domains, const TasStates& states) const {
  TasDomains sorted(domains.begin(), domains.end());
  std::ranges::sort(sorted, {}, [&](std::uint32_t i) {
    const TasDomainState& state = states[i];
    return std::tuple(rules_.affinity ? -state.affinity : 0,
                      rules_.least_free ? state.slices : -state.slices, state.pods,
                      snapshot_->domains()[i].order);
  });
  return sorted;
}

TasDomains TasOrder::SortedWithLeader(std::span<const std::uint32_t> domains,
                                      const TasStates& states) const {
  TasDomains sorted(domains.begin(), domains.end());
  std::ranges::sort(sorted, {}, [&](std::uint32_t i) {
    const TasDomainState& state = states[i];
    const std::int64_t slices = state.slices_with_leader;
    return std::tuple(-state.leaders, rules_.affinity ? -state.affinity : 0,
                      rules_.least_free ? slices : -slices, state.pods_with_leader,
                      snapshot_->domains()[i].order);
  });
  return sorted;
}

std::uint32_t TasOrder::BestFit(std::span<const std::uint32_t> domains, const TasStates& states,
                                TasUnit unit, std::int64_t needed, std::int64_t leaders) const {
  std::uint32_t best = domains.front();
  std::int64_t best_count = -1;
  for (const std::uint32_t i : domains) {
    const TasDomainState& state = states[i];
    if (rules_.affinity && state.affinity != states[domains.front()].affinity) break;
    if (state.leaders < leaders) continue;
    const std::int64_t count = leaders > 0 ? CountWithLeader(state, unit) : CountOf(state, unit);
    if (count < needed || (best_count >= 0 && count >= best_count)) continue;
    best = i;
    best_count = count;
  }
  return best;
}

TasDomains TasOrder::LeaderFirst(TasDomains domains, const TasStates& states, TasUnit unit,
                                 std::int64_t needed, std::int64_t leaders) const {
  if (leaders == 0) return domains;
  std::int64_t together = 0;
  for (const std::uint32_t i : domains) together += CountOf(states[i], unit);
  const auto first = std::ranges::find_if(domains, [&](std::uint32_t i) {
    const std::int64_t lost = CountOf(states[i], unit) - CountWithLeader(states[i], unit);
    return states[i].leaders >= leaders && together - lost >= needed;
  });
  if (first != domains.end()) std::rotate(domains.begin(), first, first + 1);
  return domains;
}

}  // namespace plimsoll
