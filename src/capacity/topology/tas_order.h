// In which order domains are tried, and which of them fits best.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "capacity/topology/tas_counts.h"

namespace plimsoll {

using TasDomains = std::vector<std::uint32_t>;

enum class TasUnit : unsigned char { kPods, kSlices };

class TasOrder {
 public:
  struct Rules {
    bool least_free = false;  // smallest first; else largest first
    bool affinity = false;    // preferred node affinity goes before size
  };
  TasOrder(const TasSnapshot& snapshot, Rules rules) : snapshot_(&snapshot), rules_(rules) {}

  Rules rules() const { return rules_; }

  // By slices, then by fewer pods, then by values.
  TasDomains Sorted(std::span<const std::uint32_t> domains, const TasStates& states) const;
  // Those that take a leader first; then likewise, of what fits beside it.
  TasDomains SortedWithLeader(std::span<const std::uint32_t> domains,
                              const TasStates& states) const;

  // The first of those that take the leaders and with them the smallest sufficient count; of
  // the best node affinity only. Without one the first domain. REQUIRES: domains
  std::uint32_t BestFit(std::span<const std::uint32_t> domains, const TasStates& states,
                        TasUnit unit, std::int64_t needed, std::int64_t leaders) const;

  // `domains` with that one to the front that can hold the leader while all of them still
  // take `needed`.
  TasDomains LeaderFirst(TasDomains domains, const TasStates& states, TasUnit unit,
                         std::int64_t needed, std::int64_t leaders) const;

 private:
  const TasSnapshot* snapshot_;
  Rules rules_;
};

inline std::int64_t& CountOf(TasDomainState& state, TasUnit unit) {
  return unit == TasUnit::kSlices ? state.slices : state.pods;
}
inline std::int64_t& CountWithLeader(TasDomainState& state, TasUnit unit) {
  return unit == TasUnit::kSlices ? state.slices_with_leader : state.pods_with_leader;
}
inline std::int64_t CountOf(const TasDomainState& state, TasUnit unit) {
  return unit == TasUnit::kSlices ? state.slices : state.pods;
}
inline std::int64_t CountWithLeader(const TasDomainState& state, TasUnit unit) {
  return unit == TasUnit::kSlices ? state.slices_with_leader : state.pods_with_leader;
}

}  // namespace plimsoll
