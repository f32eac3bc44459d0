// The packing of MIG instances against a brute force that shares no code with it: every way to
// deal instances to cards, every placement of a card tried slot by slot.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <random>

#include "purchase/mig/mig_packing.h"

namespace plimsoll {
namespace {

using Card = std::vector<std::size_t>;  // profiles of its instances

class Naive {
 public:
  explicit Naive(const GpuModel& gpu, const std::vector<const MigProfile*>& profiles)
      : gpu_(gpu), profiles_(profiles) {}

  // Whether the instances fit, and the least that can be stranded.
  std::optional<StrandedSlices> Stranded(Card card) {
    std::sort(card.begin(), card.end());
    const auto known = known_.find(card);
    if (known != known_.end()) return known->second;
    std::optional<StrandedSlices> least;
    std::vector<bool> used(static_cast<std::size_t>(gpu_.memory_slices), false);
    PlaceAll(card, 0, used, [&] {
      const StrandedSlices left = Left(used, ComputeOf(card));
      if (!least || left < *least) least = left;
    });
    return known_[card] = least;
  }

  // The fewest cards, then the least stranded: deals the items one by one.
  std::pair<std::size_t, StrandedSlices> Pack(const std::vector<std::size_t>& items) {
    best_ = {items.size() + 1, {}};
    std::vector<Card> cards;
    Deal(items, 0, cards);
    return best_;
  }

 private:
  std::int64_t ComputeOf(const Card& card) const {
    std::int64_t compute = 0;
    for (const std::size_t profile : card) compute += profiles_[profile]->compute_slices;
    return compute;
  }

  bool Mark(std::vector<bool>& used, std::int64_t start, std::size_t profile, bool value) const {
    for (std::int64_t i = 0; i < profiles_[profile]->memory_slices; ++i) {
      const auto slot = static_cast<std::size_t>(start + i);
      if (value && used[slot]) return false;
    }
    for (std::int64_t i = 0; i < profiles_[profile]->memory_slices; ++i) {
      used[static_cast<std::size_t>(start + i)] = value;
    }
    return true;
  }

  void PlaceAll(const Card& card, std::size_t next, std::vector<bool>& used,
                const std::function<void()>& done) {
    if (ComputeOf(card) > gpu_.compute_slices) return;
    if (next == card.size()) return done();
    for (const std::int64_t start : profiles_[card[next]]->starts) {
      if (!Mark(used, start, card[next], true)) continue;
      PlaceAll(card, next + 1, used, done);
      Mark(used, start, card[next], false);
    }
  }

  // The least left over by any completion of `used`.
  StrandedSlices Left(std::vector<bool>& used, std::int64_t compute) {
    StrandedSlices least{gpu_.compute_slices - compute,
                         std::count(used.begin(), used.end(), false)};
    for (std::size_t profile = 0; profile < profiles_.size(); ++profile) {
      const std::int64_t more = compute + profiles_[profile]->compute_slices;
      if (more > gpu_.compute_slices) continue;
      for (const std::int64_t start : profiles_[profile]->starts) {
        if (!Mark(used, start, profile, true)) continue;
        least = std::min(least, Left(used, more));
        Mark(used, start, profile, false);
      }
    }
    return least;
  }

  void Deal(const std::vector<std::size_t>& items, std::size_t next, std::vector<Card>& cards) {
    if (cards.size() > best_.first) return;
    if (next == items.size()) {
      StrandedSlices sum;
      for (const Card& card : cards) {
        const StrandedSlices of_card = *Stranded(card);
        sum.compute += of_card.compute;
        sum.memory += of_card.memory;
      }
      best_ = std::min(best_, std::pair(cards.size(), sum));
      return;
    }
    for (std::size_t i = 0; i < cards.size(); ++i) {
      cards[i].push_back(items[next]);
      if (Stranded(cards[i])) Deal(items, next + 1, cards);
      cards[i].pop_back();
    }
    cards.push_back({items[next]});
    Deal(items, next + 1, cards);
    cards.pop_back();
  }

  const GpuModel& gpu_;
  const std::vector<const MigProfile*>& profiles_;
  std::map<Card, std::optional<StrandedSlices>> known_;
  std::pair<std::size_t, StrandedSlices> best_;
};

TEST(MigPropertyTest, PackingIsTheBestOfAllWaysToDeal) {
  const Result<Catalog> catalog = Catalog::Load(BuiltinCatalogFiles());
  ASSERT_TRUE(catalog.has_value());
  constexpr std::uint32_t kSeed = 20'261'201;
  std::cout << "seed " << kSeed << "\n";
  std::mt19937 random(kSeed);
  std::int64_t above_slices = 0;  // cases in which counting slices is not enough
  for (const char* name : {"A100-SXM-80GB", "A30"}) {
    const Result<MigGeometry> geometry = MigGeometry::Of(*catalog->FindGpu(name));
    ASSERT_TRUE(geometry.has_value());
    Naive naive(geometry->gpu(), geometry->profiles());
    for (int round = 0; round < 600; ++round) {
      const std::size_t size = geometry->profiles().size();
      std::vector<std::size_t> items(1 + random() % 8);
      MigCounts wanted(size, 0);
      for (std::size_t& item : items) ++wanted[item = random() % size];
      // The largest first: the brute force then meets few dead ends.
      std::sort(items.rbegin(), items.rend());
      const auto best = naive.Pack(items);
      const MigPacking packing = PackMig(*geometry, wanted);
      ASSERT_TRUE(packing.cards_proven && packing.stranded_proven) << name << " round " << round;
      EXPECT_EQ(packing.cards.size(), best.first) << name << " round " << round;
      EXPECT_EQ(packing.stranded, best.second) << name << " round " << round;
      EXPECT_LE(MigCardsAtLeast(*geometry, wanted), static_cast<std::int64_t>(best.first));
      std::int64_t slices = 0;
      for (const std::size_t item : items) slices += geometry->profiles()[item]->memory_slices;
      above_slices +=
          static_cast<std::int64_t>(best.first) >
                  (slices + geometry->gpu().memory_slices - 1) / geometry->gpu().memory_slices
              ? 1
              : 0;
    }
  }
  EXPECT_GT(above_slices, 10);
}

// Any order of removal: a part of a partition is a partition.
TEST(MigPropertyTest, PartsOfPartitionsArePartitions) {
  const Result<Catalog> catalog = Catalog::Load(BuiltinCatalogFiles());
  ASSERT_TRUE(catalog.has_value());
  for (const GpuModel& gpu : catalog->gpus()) {
    if (gpu.profiles.empty()) continue;
    const Result<MigGeometry> geometry = MigGeometry::Of(gpu);
    ASSERT_TRUE(geometry.has_value());
    for (const MigPartition& partition : geometry->partitions()) {
      MigCounts counts = partition.counts;
      for (std::int64_t& count : counts) {
        if (count == 0) continue;
        --count;
        const bool empty =
            std::all_of(counts.begin(), counts.end(), [](std::int64_t n) { return n == 0; });
        EXPECT_TRUE(empty || geometry->Find(counts) != nullptr) << gpu.name;
        ++count;
      }
    }
  }
}

}  // namespace
}  // namespace plimsoll
