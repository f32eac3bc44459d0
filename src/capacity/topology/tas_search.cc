// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_search.h"

#include <algorithm>

#include "capacity/topology/tas_balance.h"
#include "capacity/topology/tas_reason.h"

namespace plimsoll {
namespace {

class Search {
 public:
  Search(const TasSnapshot& snapshot, const TasGates& gates, const TasNeed& need, TasStates states,
         const TasExclusions& exclusions)
      : snapshot_(snapshot),
        gates_(gates),
        need_(need),
        states_(std::move(states)),
        exclusions_(exclusions),
        order_(snapshot, {.least_free = need.unconstrained && gates.profile_mixed,
                          .affinity = gates.preferred_affinity}) {}

  TasChoice Run() {
    bool balanced = false;
    if (gates_.balanced_placement && !need_.required && !need_.unconstrained) {
      balanced = Balance();
    }
    if (!balanced) {
      level_ = need_.level;
      if (std::string reason = Fit(); !reason.empty()) return {{}, {}, std::move(reason)};
    }
    chosen_ = Take(chosen_, need_.count, need_.leaders, {TasUnit::kSlices, need_.slice_size});
    const auto lowest = static_cast<std::uint32_t>(snapshot_.flavor().levels.size() - 1);
    // Above the slices all chosen domains are one pool; below, and once balanced, each of them
    // hands down what it has.
    for (; level_ < std::min(lowest, need_.slice_level) && !balanced; ++level_) TakeFromPool();
    for (; level_ < lowest; ++level_) TakeFromEach();
    return {std::move(chosen_), std::move(states_), {}};
  }

 private:
  struct Step {
    TasUnit unit;
    std::int64_t size;  // pods in one of the unit
  };

  bool BestFit() const { return !order_.rules().least_free; }

  bool Balance() {
    TasBalance balance = BalancedDomains(snapshot_, order_, need_, states_);
    if (balance.domains.empty()) return false;
    chosen_ = std::move(balance.domains);
    states_ = std::move(balance.states);
    level_ = balance.level;
    return true;
  }

  bool Enough(std::uint32_t i) const {
    return states_[i].slices_with_leader >= need_.slices() && states_[i].leaders >= need_.leaders;
  }

  // Sets level_ and chosen_, or returns why not.
  std::string Fit() {
    while (true) {
      if (snapshot_.level(level_).empty()) return NoDomainsReason(snapshot_, level_);
      const TasDomains sorted = order_.SortedWithLeader(snapshot_.level(level_), states_);
      if (const auto one = SingleDomain(sorted); one.has_value()) {
        chosen_ = {*one};
        return {};
      }
      if (need_.required) {
        return Reason(BestFit() ? states_[sorted.front()].slices : states_[sorted.back()].pods);
      }
      if (level_ == 0 || need_.unconstrained) return Spread(sorted);
      --level_;
    }
  }

  std::optional<std::uint32_t> SingleDomain(const TasDomains& sorted) const {
    if (!BestFit()) {
      const auto found = std::ranges::find_if(sorted, [&](std::uint32_t i) {
        return need_.leaders > 0 ? Enough(i) : states_[i].slices >= need_.slices();
      });
      if (found != sorted.end()) return *found;
      return std::nullopt;
    }
    // With preferred affinity a domain that is not the first may be the one that suffices.
    const std::size_t tried =
        need_.required && gates_.preferred_affinity ? sorted.size() : std::size_t{1};
    for (std::size_t i = 0; i < tried; ++i) {
      if (!Enough(sorted[i])) continue;
      const auto rest = std::span(sorted).subspan(i);
      return order_.BestFit(rest, states_, TasUnit::kSlices, need_.slices(), need_.leaders);
    }
    return std::nullopt;
  }

  // Several domains of the level: first for the leader, then largest first.
  std::string Spread(TasDomains sorted) {
    std::int64_t slices = need_.slices(), leaders = need_.leaders;
    sorted = order_.LeaderFirst(std::move(sorted), states_, TasUnit::kSlices, slices, leaders);
    chosen_.clear();
    std::size_t i = 0;
    for (; leaders > 0 && i < sorted.size() && states_[sorted[i]].leaders > 0; ++i) {
      std::uint32_t domain = sorted[i];
      if (BestFit() && states_[domain].slices_with_leader >= slices) {
        domain = order_.BestFit(std::span(sorted).subspan(i), states_, TasUnit::kSlices, slices,
                                leaders);
      }
      chosen_.push_back(domain);
      leaders -= states_[domain].leaders;
      slices -= states_[domain].slices_with_leader;
    }
    if (leaders > 0) return Reason(need_.leaders - leaders);
    const TasDomains rest = order_.Sorted(std::span(sorted).subspan(i), states_);
    for (std::size_t k = 0; slices > 0 && k < rest.size(); ++k) {
      std::uint32_t domain = rest[k];
      if (BestFit() && states_[domain].slices >= slices) {
        domain = order_.BestFit(std::span(rest).subspan(k), states_, TasUnit::kSlices, slices, 0);
      }
      chosen_.push_back(domain);
      slices -= states_[domain].slices;
    }
    if (slices > 0) return Reason(need_.slices() - slices);
    return {};
  }

  std::string Reason(std::int64_t fitting) const {
    if (!need_.layers.empty()) {
      return LayersReason(snapshot_, need_, level_, states_, exclusions_);
    }
    return NotFitReason(snapshot_, need_, fitting, exclusions_);
  }

  // As few of `domains`, in their order, as hold the count and the leaders; sets what each takes.
  // Empty if they do not hold them.
  TasDomains Take(TasDomains domains, std::int64_t count, std::int64_t leaders, Step step) {
    std::int64_t left = count / step.size;
    domains = order_.LeaderFirst(std::move(domains), states_, step.unit, left, leaders);
    TasDomains taken;
    for (std::size_t i = 0; i < domains.size(); ++i) {
      const auto rest = std::span(domains).subspan(i);
      const std::int64_t before = leaders;
      std::uint32_t domain = rest.front();
      if (BestFit() && Capacity(domain, step, leaders) >= left &&
          states_[domain].leaders >= leaders) {
        domain = order_.BestFit(rest, states_, step.unit, left, leaders);
      }
      TasDomainState& state = states_[domain];
      const std::int64_t amount = std::min(Capacity(domain, step, leaders), left);
      const bool last = amount == left && state.leaders >= leaders;
      state.leaders = std::min(state.leaders, leaders);
      leaders -= state.leaders;
      left -= amount;
      CountOf(state, step.unit) = amount;
      if (before > 0 && !last) CountWithLeader(state, step.unit) = amount;
      state.pods = amount * step.size;
      taken.push_back(domain);
      if (last) return taken;
    }
    return {};
  }

  std::int64_t Capacity(std::uint32_t domain, Step step, std::int64_t leaders) const {
    const TasDomainState& state = states_[domain];
    return leaders > 0 ? CountWithLeader(state, step.unit) : CountOf(state, step.unit);
  }

  void TakeFromPool() {
    TasDomains pool;
    for (const std::uint32_t domain : chosen_) {
      const auto& children = snapshot_.domains()[domain].children;
      pool.insert(pool.end(), children.begin(), children.end());
    }
    chosen_ = Take(order_.Sorted(pool, states_), need_.count, need_.leaders,
                   {TasUnit::kSlices, need_.slice_size});
  }

  void TakeFromEach() {
    std::int64_t size = need_.slice_size;
    if (level_ >= need_.slice_level) {
      const auto inner = need_.inner_sizes.find(level_ + 1);
      size = inner == need_.inner_sizes.end() ? 1 : inner->second;
    }
    const TasUnit unit = size > 1 ? TasUnit::kSlices : TasUnit::kPods;
    TasDomains lower;
    for (const std::uint32_t domain : chosen_) {
      TasDomains children = order_.Sorted(snapshot_.domains()[domain].children, states_);
      if (size > 1) {
        for (const std::uint32_t child : children) {
          states_[child].slices = states_[child].pods / size;
          states_[child].slices_with_leader = states_[child].pods_with_leader / size;
        }
      }
      const TasDomainState of = states_[domain];
      const TasDomains taken = Take(std::move(children), of.pods, of.leaders, {unit, size});
      lower.insert(lower.end(), taken.begin(), taken.end());
    }
    chosen_ = std::move(lower);
  }

  const TasSnapshot& snapshot_;
  const TasGates& gates_;
  const TasNeed& need_;
  TasStates states_;
  const TasExclusions& exclusions_;
  TasOrder order_;
  std::uint32_t level_ = 0;
  TasDomains chosen_;
};

}  // namespace

TasChoice SearchDomains(const TasSnapshot& snapshot, const TasGates& gates, const TasNeed& need,
                        TasStates states, const TasExclusions& exclusions) {
  return Search(snapshot, gates, need, std::move(states), exclusions).Run();
}

}  // namespace plimsoll
