#include "purchase/mig/mig_packing.h"

#include <gtest/gtest.h>

#include "purchase/mig/test_cards.h"

namespace plimsoll {
namespace {

MigCounts Sum(const MigPacking& packing, std::size_t size) {
  MigCounts sum(size, 0);
  for (const MigPartition* const card : packing.cards) {
    for (std::size_t i = 0; i < size; ++i) sum[i] += card->counts[i];
  }
  return sum;
}

TEST(MigPackingTest, SevenSmallModelsShareACard) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  MigCounts wanted(a100.profiles().size(), 0);
  wanted[*a100.FindProfile("1g")] = 56;
  const MigPacking packing = PackMig(a100, wanted);
  EXPECT_EQ(packing.cards.size(), 8U);
  EXPECT_EQ(packing.lower_bound, 8);
  EXPECT_TRUE(packing.cards_proven);
  EXPECT_EQ(packing.stranded.memory, 8);  // an eighth of each card
  EXPECT_TRUE(packing.stranded_proven);
}

TEST(MigPackingTest, NothingWantedNeedsNoCard) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const MigPacking packing = PackMig(a100, MigCounts(a100.profiles().size(), 0));
  EXPECT_TRUE(packing.cards.empty());
  EXPECT_TRUE(packing.cards_proven && packing.stranded_proven);
}

TEST(MigPackingTest, OfAsManyCardsTheOnesThatStrandLeast) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  // 3g 3g | 2g 1g 1g strands a compute slice; 3g 2g 1g 1g | 3g none.
  const MigPacking packing = PackMig(a100, CountsOf(a100, {"3g", "3g", "2g", "1g", "1g"}));
  EXPECT_EQ(packing.cards.size(), 2U);
  EXPECT_EQ(packing.stranded, StrandedSlices{});
  EXPECT_TRUE(packing.stranded_proven);
}

TEST(MigPackingTest, EveryWantedInstanceIsPacked) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const MigCounts wanted = CountsOf(
      a100, {"4g", "4g", "3g", "2g", "2g", "2g", "2g", "1g", "1g", "1g", "1g.20gb", "1g.20gb"});
  const MigPacking packing = PackMig(a100, wanted);
  EXPECT_EQ(Sum(packing, wanted.size()), wanted);
  EXPECT_TRUE(packing.cards_proven);
  EXPECT_EQ(packing.lower_bound, static_cast<std::int64_t>(packing.cards.size()));
}

TEST(MigPackingTest, TheBoundNeverExceedsThePacking) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  EXPECT_EQ(MigCardsAtLeast(a100, CountsOf(a100, {"4g", "4g"})), 2);
  EXPECT_EQ(MigCardsAtLeast(a100, CountsOf(a100, {"3g", "3g", "1g"})), 2);
  EXPECT_EQ(MigCardsAtLeast(a100, CountsOf(a100, {"7g", "1g"})), 2);
  EXPECT_EQ(MigCardsAtLeast(a100, MigCounts(a100.profiles().size(), 0)), 0);
}

TEST(MigPackingTest, ACutSearchSaysWhatIsProven) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const MigCounts wanted{9, 7, 11, 9, 5, 2};
  const MigPacking cut = PackMig(a100, wanted, 1);
  EXPECT_EQ(Sum(cut, wanted.size()), wanted);
  EXPECT_LE(cut.lower_bound, static_cast<std::int64_t>(cut.cards.size()));
  EXPECT_EQ(cut.cards_proven, cut.lower_bound == static_cast<std::int64_t>(cut.cards.size()));
  const MigPacking whole = PackMig(a100, wanted);
  EXPECT_TRUE(whole.cards_proven);
  EXPECT_LE(whole.cards.size(), cut.cards.size());
  EXPECT_GE(whole.lower_bound, cut.lower_bound);
}

TEST(MigPackingTest, HundredsOfInstancesArePackedAtTheBound) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const MigPacking packing = PackMig(a100, {200, 40, 90, 60, 30, 10});
  EXPECT_TRUE(packing.cards_proven);
  EXPECT_LT(packing.states, 2 * kMigSearchStates);
}

TEST(MigPackingTest, TensOfThousandsEndWithABound) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const MigCounts wanted{50'000, 3'001, 7'003, 5'001, 2'001, 1'001};
  const MigPacking packing = PackMig(a100, wanted, 1'000);
  EXPECT_EQ(Sum(packing, wanted.size()), wanted);
  const auto cards = static_cast<std::int64_t>(packing.cards.size());
  EXPECT_LE(packing.lower_bound, cards);
  EXPECT_EQ(packing.cards_proven, packing.lower_bound == cards);
  EXPECT_LT(cards - packing.lower_bound, cards / 10);
}

}  // namespace
}  // namespace plimsoll
