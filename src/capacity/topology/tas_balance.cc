// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/tas_balance.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <tuple>

namespace plimsoll {
namespace {

// How a group fills domains taken largest first.
struct Greedy {
  std::int64_t domains = 0;
  std::optional<std::uint32_t> last_with_leader, last;
};

// In bits / 2^32, rounded down: equal on every machine. REQUIRES: n > 0
std::int64_t Log2(std::int64_t n) {
  constexpr int kBits = 32;
  const int whole = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
  // The mantissa, 1 ... 2, in units of 2^-31; squared, each time it passes 2 is one bit.
  auto mantissa = whole > 31 ? static_cast<std::uint64_t>(n) >> (whole - 31)
                             : static_cast<std::uint64_t>(n) << (31 - whole);
  std::int64_t bits = 0;
  for (int i = 0; i < kBits; ++i) {
    mantissa = mantissa * mantissa >> 31;
    bits <<= 1;
    if (mantissa >> kBits != 0) {
      bits |= 1;
      mantissa >>= 1;
    }
  }
  return (std::int64_t{whole} << kBits) + bits;
}

class Balancing {
 public:
  Balancing(const TasSnapshot& snapshot, const TasOrder& order, const TasNeed& need)
      : snapshot_(snapshot), order_(order), need_(need) {}

  TasBalance Run(const TasStates& states) {
    if (need_.level == 0) {
      Consider(snapshot_.level(0), states);
    } else {
      for (const std::uint32_t parent : snapshot_.level(need_.level - 1)) {
        Consider(snapshot_.domains()[parent].children, states);
      }
    }
    if (threshold_ == 0 || !Apply()) return {};
    return std::move(best_);
  }

 private:
  // Siblings of the requested level as the set that holds the group; kept if it is the best.
  void Consider(std::span<const std::uint32_t> siblings, const TasStates& states) {
    const TasDomains candidates(siblings.begin(), siblings.end());
    const bool lower = need_.level < need_.slice_level;
    const auto greedy = Fill(lower ? Children(candidates) : candidates, states);
    if (!greedy.has_value()) return;
    std::int64_t threshold = need_.slices() / greedy->domains;
    if (greedy->last_with_leader.has_value()) {
      threshold = std::min(threshold, states[*greedy->last_with_leader].slices_with_leader);
    }
    if (greedy->last.has_value()) threshold = std::min(threshold, states[*greedy->last].slices);
    if (threshold < threshold_) return;
    if (Keep(candidates, states, threshold) || need_.leaders == 0 || !greedy->last.has_value()) {
      return;
    }
    // Once more with room for a leader in each domain.
    const std::int64_t less = std::min(threshold, states[*greedy->last].slices_with_leader);
    if (less < threshold && less > 0 && less >= threshold_) Keep(candidates, states, less);
  }

  // Returns whether the group still fits without the domains below the threshold.
  bool Keep(const TasDomains& candidates, TasStates states, std::int64_t threshold) {
    Prune(candidates, threshold, states);
    const auto greedy = Fill(candidates, states);
    if (!greedy.has_value()) return false;
    if (threshold > threshold_ || (threshold == threshold_ && greedy->domains < domains_)) {
      threshold_ = threshold;
      domains_ = greedy->domains;
      best_ = {candidates, std::move(states), need_.level};
    }
    return true;
  }

  void Prune(const TasDomains& domains, std::int64_t threshold, TasStates& states) const {
    for (const std::uint32_t child : Children(domains)) PruneOne(child, threshold, states);
    for (const std::uint32_t domain : domains) {
      RollUp(snapshot_, need_, false, domain, states);
      PruneOne(domain, threshold, states);
    }
  }

  void PruneOne(std::uint32_t domain, std::int64_t threshold, TasStates& states) const {
    const TasDomainState& state = states[domain];
    if (state.slices < threshold) {
      Clear(domain, false, states);
    } else if (need_.leaders > 0 && state.leaders > 0 && state.slices_with_leader < threshold) {
      Clear(domain, true, states);
    }
  }

  void Clear(std::uint32_t domain, bool leader_only, TasStates& states) const {
    TasDomainState& state = states[domain];
    state.leaders = state.pods_with_leader = state.slices_with_leader = 0;
    if (!leader_only) state.pods = state.slices = 0;
    for (const std::uint32_t child : snapshot_.domains()[domain].children) {
      Clear(child, leader_only, states);
    }
  }

  TasDomains Children(const TasDomains& domains) const {
    TasDomains children;
    for (const std::uint32_t domain : domains) {
      const auto& more = snapshot_.domains()[domain].children;
      children.insert(children.end(), more.begin(), more.end());
    }
    return children;
  }

  std::optional<Greedy> Fill(TasDomains domains, const TasStates& states) const {
    Greedy greedy;
    std::int64_t slices = need_.slices(), leaders = need_.leaders;
    std::size_t i = 0;
    if (leaders > 0) {
      domains = order_.SortedWithLeader(domains, states);
      for (; leaders > 0 && i < domains.size() && states[domains[i]].leaders > 0; ++i) {
        ++greedy.domains;
        greedy.last_with_leader = domains[i];
        leaders -= states[domains[i]].leaders;
        slices -= states[domains[i]].slices_with_leader;
      }
      if (leaders > 0) return std::nullopt;
    }
    for (const std::uint32_t one : order_.Sorted(std::span(domains).subspan(i), states)) {
      if (slices <= 0 || states[one].slices == 0) break;
      ++greedy.domains;
      greedy.last = one;
      slices -= states[one].slices;
    }
    if (slices > 0 || greedy.domains == 0) return std::nullopt;
    return greedy;
  }

  // From the best set to the domains that slices are handed out to.
  bool Apply() {
    if (need_.level < need_.slice_level) {
      const TasDomains fewest = Fewest(best_.domains, true);
      if (fewest.empty()) return false;
      best_.domains = Children(fewest);
      best_.level = need_.level + 1;
    }
    best_.domains = Fewest(best_.domains, false);
    return !best_.domains.empty() && HandOut();
  }

  // A set with as few domains as can be and of these the least room beyond the need; empty if
  // there is none. Kept by what is left to place after so many domains.
  TasDomains Fewest(TasDomains domains, bool by_entropy) const {
    const auto greedy = Fill(domains, best_.states);
    if (!greedy.has_value()) return {};
    Arrange(domains, by_entropy);
    using Left = std::pair<std::int64_t, std::int64_t>;  // leaders, pods
    const auto most = static_cast<std::size_t>(greedy->domains);
    std::vector<std::map<Left, TasDomains>> sets(most + 1);
    sets[0][{need_.leaders, need_.slices() * need_.slice_size}] = {};
    for (const std::uint32_t domain : domains) {
      const TasDomainState& state = best_.states[domain];
      for (std::size_t i = most; i > 0; --i) {
        for (const auto& [left, set] : sets[i - 1]) {
          if (left.first <= 0 && left.second <= 0) continue;
          TasDomains more = set;
          more.push_back(domain);
          if (left.first > 0 && state.leaders > 0) {
            sets[i].try_emplace({left.first - state.leaders, left.second - state.pods_with_leader},
                                more);
          }
          if (state.slices > 0) {
            sets[i].try_emplace({left.first, left.second - state.pods}, std::move(more));
          }
        }
      }
    }
    const auto after = sets[most].upper_bound({0, 0});
    if (after == sets[most].begin()) return {};
    const auto best = std::prev(after);
    return best->first.first == 0 ? best->second : TasDomains{};
  }

  void Arrange(TasDomains& domains, bool by_entropy) const {
    std::ranges::sort(domains, {}, [&](std::uint32_t i) {
      const std::uint32_t values = snapshot_.domains()[i].order;
      if (!by_entropy) return std::tuple(std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, values);
      const TasDomainState& state = best_.states[i];
      return std::tuple(-state.leaders, -state.slices_with_leader, -Entropy(i), values);
    });
  }

  // Of how the pods of a domain lie in those within it, in bits / 2^32: the more, the more even.
  std::int64_t Entropy(std::uint32_t domain) const {
    std::int64_t total = 0, uneven = 0;
    for (const std::uint32_t i : snapshot_.domains()[domain].children) {
      const std::int64_t pods = best_.states[i].pods;
      total += pods;
      if (pods > 0) uneven += pods * Log2(pods);
    }
    return total == 0 ? 0 : (total * Log2(total) - uneven) / total;
  }

  // The threshold to each domain, and what is left over to the first ones.
  bool HandOut() {
    std::int64_t extra =
        need_.slices() - static_cast<std::int64_t>(best_.domains.size()) * threshold_;
    if (extra < 0) return false;
    std::int64_t leaders = need_.leaders;
    best_.domains = order_.SortedWithLeader(best_.domains, best_.states);
    for (const std::uint32_t domain : best_.domains) {
      TasDomainState& state = best_.states[domain];
      std::int64_t more = 0;
      if (leaders > 0) {
        more = std::min(state.slices_with_leader - threshold_, extra);
      } else if (extra > 0) {
        more = std::min(state.slices - threshold_, extra);
      }
      state.leaders = leaders > 0 ? 1 : 0;
      leaders -= state.leaders;
      state.slices = state.slices_with_leader = threshold_ + more;
      state.pods = state.slices * need_.slice_size;
      state.pods_with_leader = state.pods - state.leaders;
      extra -= more;
    }
    return extra <= 0 && leaders <= 0;
  }

  const TasSnapshot& snapshot_;
  const TasOrder& order_;
  const TasNeed& need_;
  std::int64_t threshold_ = 0;  // the best so far
  std::int64_t domains_ = 0;    // of the requested level that the best one uses
  TasBalance best_;
};

}  // namespace

TasBalance BalancedDomains(const TasSnapshot& snapshot, const TasOrder& order, const TasNeed& need,
                           const TasStates& states) {
  return Balancing(snapshot, order, need).Run(states);
}

}  // namespace plimsoll
