#include "purchase/mig/mig_packing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kWeightMax = 4;
constexpr std::size_t kBoundsKept = 24;

struct Weighting {
  MigCounts weights;
  std::int64_t card = 0;  // the most that one card can carry

  std::int64_t Bound(const MigCounts& wanted) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) sum += weights[i] * wanted[i];
    return (sum + card - 1) / card;
  }
};

std::int64_t SlicesOf(const MigGeometry& geometry, const MigCounts& counts) {
  std::int64_t slices = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    slices += counts[i] *
              (geometry.profiles()[i]->compute_slices + geometry.profiles()[i]->memory_slices);
  }
  return slices;
}

// Compute slices, memory slices, and all small weightings that grow with the profile.
std::vector<Weighting> WeightingsOf(const MigGeometry& geometry) {
  const std::size_t size = geometry.profiles().size();
  std::vector<Weighting> out;
  const auto add = [&](MigCounts weights) {
    Weighting weighting{std::move(weights), 0};
    for (const MigPartition& partition : geometry.partitions()) {
      if (!partition.maximal) continue;
      weighting.card = std::max(weighting.card,
                                std::inner_product(partition.counts.begin(), partition.counts.end(),
                                                   weighting.weights.begin(), std::int64_t{0}));
    }
    if (weighting.card > 0) out.push_back(std::move(weighting));
  };
  MigCounts compute, memory;
  for (const MigProfile* const profile : geometry.profiles()) {
    compute.push_back(profile->compute_slices);
    memory.push_back(profile->memory_slices);
  }
  add(compute);
  add(memory);
  MigCounts weights(size, 0);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = size; i-- > 0;) {
      if (weights[i] == kWeightMax) continue;
      ++weights[i];
      std::fill(weights.begin() + static_cast<std::ptrdiff_t>(i) + 1, weights.end(), weights[i]);
      more = true;
      break;
    }
    if (more) add(weights);
  }
  return out;
}

class Packer {
 public:
  Packer(const MigGeometry& geometry, const MigCounts& wanted, std::int64_t states_max)
      : geometry_(geometry), states_max_(states_max), bounds_(WeightingsOf(geometry)) {
    std::stable_sort(bounds_.begin(), bounds_.end(), [&](const Weighting& a, const Weighting& b) {
      return a.Bound(wanted) > b.Bound(wanted);
    });
    if (bounds_.size() > kBoundsKept) bounds_.resize(kBoundsKept);
    for (const MigPartition& partition : geometry.partitions()) order_.push_back(&partition);
    std::stable_sort(order_.begin(), order_.end(), [&](const auto* a, const auto* b) {
      return SlicesOf(geometry_, a->counts) > SlicesOf(geometry_, b->counts);
    });
  }

  // Of very many instances the first cards are taken as full as they can be; what is proven
  // then rests on the bound alone.
  MigPacking Pack(const MigCounts& wanted) {
    MigCounts rest = wanted;
    Cards first;
    for (std::int64_t left = std::accumulate(rest.begin(), rest.end(), std::int64_t{0});
         left > kMigSearchInstances;) {
      first.push_back(Fullest(rest));
      rest = Less(rest, first.back()->counts);
      left -= std::accumulate(first.back()->counts.begin(), first.back()->counts.end(),
                              std::int64_t{0});
    }
    MigPacking packing = Search(rest);
    if (!first.empty()) {
      packing.cards.insert(packing.cards.begin(), first.begin(), first.end());
      packing.lower_bound = LowerBound(wanted);
      packing.cards_proven = static_cast<std::int64_t>(packing.cards.size()) == packing.lower_bound;
      packing.stranded = StrandedOf(packing.cards);
      packing.stranded_proven = packing.cards_proven && packing.stranded == StrandedSlices{};
    }
    std::stable_sort(packing.cards.begin(), packing.cards.end(), [&](const auto* a, const auto* b) {
      return SlicesOf(geometry_, a->counts) > SlicesOf(geometry_, b->counts);
    });
    return packing;
  }

 private:
  using Cards = std::vector<const MigPartition*>;

  MigPacking Search(const MigCounts& wanted) {
    MigPacking packing;
    packing.lower_bound = LowerBound(wanted);
    bool reached = false;
    while (!(reached = Reaches(wanted, packing.lower_bound)) && !IsCut()) ++packing.lower_bound;
    packing.cards = reached ? Take(wanted, packing.lower_bound) : Greedy(wanted);
    packing.cards_proven = static_cast<std::int64_t>(packing.cards.size()) == packing.lower_bound;
    if (packing.cards_proven) Improve(wanted, packing);
    packing.stranded = StrandedOf(packing.cards);
    packing.states = states_;
    return packing;
  }

  bool IsCut() const { return states_ >= states_max_; }

  std::int64_t LowerBound(const MigCounts& wanted) const {
    std::int64_t most = 0;
    for (const Weighting& bound : bounds_) most = std::max(most, bound.Bound(wanted));
    return most;
  }

  // The largest profile of which something is still wanted: some card must hold it.
  static std::optional<std::size_t> Largest(const MigCounts& wanted) {
    for (std::size_t i = wanted.size(); i-- > 0;) {
      if (wanted[i] > 0) return i;
    }
    return std::nullopt;
  }

  static bool Within(const MigCounts& counts, const MigCounts& wanted) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > wanted[i]) return false;
    }
    return true;
  }

  static MigCounts Less(const MigCounts& wanted, const MigCounts& counts) {
    MigCounts rest = wanted;
    for (std::size_t i = 0; i < counts.size(); ++i) rest[i] -= counts[i];
    return rest;
  }

  // No card that also held one more of what is wanted.
  bool IsFull(const MigCounts& counts, const MigCounts& wanted) const {
    MigCounts more = counts;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == wanted[i]) continue;
      ++more[i];
      const bool fits = geometry_.Find(more) != nullptr;
      --more[i];
      if (fits) return false;
    }
    return true;
  }

  // Whether `cards` cards are enough. A part of a partition is a partition too, so a card that
  // holds the largest instance may be taken as full as it can be.
  bool Reaches(const MigCounts& wanted, std::int64_t cards) {
    const std::optional<std::size_t> largest = Largest(wanted);
    if (!largest) return true;
    if (LowerBound(wanted) > cards) return false;
    const auto known = reach_.find(wanted);
    if (known != reach_.end()) {
      if (known->second.fails >= cards) return false;
      if (known->second.next != nullptr && known->second.with <= cards) return true;
    }
    if (IsCut()) return false;
    ++states_;
    for (const MigPartition* const partition : order_) {
      if (partition->counts[*largest] == 0 || !Within(partition->counts, wanted)) continue;
      if (!IsFull(partition->counts, wanted)) continue;
      if (!Reaches(Less(wanted, partition->counts), cards - 1)) continue;
      Reach& reach = reach_[wanted];
      reach.next = partition;
      reach.with = cards;
      return true;
    }
    if (!IsCut()) reach_[wanted].fails = std::max(reach_[wanted].fails, cards);
    return false;
  }

  Cards Take(MigCounts wanted, std::int64_t cards) {
    Cards taken;
    for (; Largest(wanted); --cards) {
      taken.push_back(reach_.at(wanted).next);
      wanted = Less(wanted, taken.back()->counts);
    }
    return taken;
  }

  Cards Greedy(MigCounts wanted) const {
    Cards taken;
    while (Largest(wanted)) {
      taken.push_back(Fullest(wanted));
      wanted = Less(wanted, taken.back()->counts);
    }
    return taken;
  }

  // With the largest instance that is wanted, as full as it can be. REQUIRES: some is wanted
  const MigPartition* Fullest(const MigCounts& wanted) const {
    const std::size_t largest = *Largest(wanted);
    for (const MigPartition* const partition : order_) {
      if (partition->counts[largest] > 0 && Within(partition->counts, wanted)) return partition;
    }
    PLIMSOLL_CHECK(false);  // every profile fits an empty card
    return nullptr;
  }

  static StrandedSlices StrandedOf(const Cards& cards) {
    StrandedSlices sum;
    for (const MigPartition* const card : cards) {
      sum.compute += card->stranded.compute;
      sum.memory += card->stranded.memory;
    }
    return sum;
  }

  struct Least {
    std::optional<StrandedSlices> stranded;  // null: not with that many cards
    const MigPartition* next = nullptr;
  };

  // The least that is stranded with at most `cards` cards. Cards need not be full here: what
  // is free is not stranded.
  Least LeastStranded(const MigCounts& wanted, std::int64_t cards) {
    const std::optional<std::size_t> largest = Largest(wanted);
    if (!largest) return {StrandedSlices{}, nullptr};
    if (LowerBound(wanted) > cards) return {};
    const auto key = std::pair(wanted, cards);
    const auto known = least_.find(key);
    if (known != least_.end()) return known->second;
    if (IsCut()) return {};
    ++states_;
    Least least;
    for (const MigPartition* const partition : order_) {
      if (partition->counts[*largest] == 0 || !Within(partition->counts, wanted)) continue;
      const Least rest = LeastStranded(Less(wanted, partition->counts), cards - 1);
      if (IsCut()) return {};
      if (!rest.stranded) continue;
      const StrandedSlices sum{rest.stranded->compute + partition->stranded.compute,
                               rest.stranded->memory + partition->stranded.memory};
      if (!least.stranded || sum < *least.stranded) least = {sum, partition};
      if (*least.stranded == StrandedSlices{}) break;
    }
    least_.emplace(key, least);
    return least;
  }

  void Improve(const MigCounts& wanted, MigPacking& packing) {
    const StrandedSlices now = StrandedOf(packing.cards);
    auto cards = static_cast<std::int64_t>(packing.cards.size());
    packing.stranded_proven = now == StrandedSlices{};
    if (packing.stranded_proven) return;
    states_max_ += states_;  // a search of its own
    const Least least = LeastStranded(wanted, cards);
    packing.stranded_proven = !IsCut();
    if (!packing.stranded_proven || !least.stranded || !(*least.stranded < now)) return;
    Cards taken;
    for (MigCounts rest = wanted; Largest(rest); --cards) {
      taken.push_back(LeastStranded(rest, cards).next);
      rest = Less(rest, taken.back()->counts);
    }
    packing.cards = std::move(taken);
  }

  struct Reach {
    std::int64_t fails = -1;  // not with this many cards
    const MigPartition* next = nullptr;
    std::int64_t with = 0;  // cards with which `next` leads to the end
  };

  const MigGeometry& geometry_;
  std::int64_t states_max_;
  std::int64_t states_ = 0;
  std::vector<Weighting> bounds_;
  Cards order_;
  std::map<MigCounts, Reach> reach_;
  std::map<std::pair<MigCounts, std::int64_t>, Least> least_;
};

}  // namespace

std::int64_t MigCardsAtLeast(const MigGeometry& geometry, const MigCounts& wanted) {
  std::int64_t most = 0;
  for (const Weighting& bound : WeightingsOf(geometry)) {
    most = std::max(most, bound.Bound(wanted));
  }
  return most;
}

MigPacking PackMig(const MigGeometry& geometry, const MigCounts& wanted, std::int64_t states_max) {
  return Packer(geometry, wanted, states_max).Pack(wanted);
}

}  // namespace plimsoll
