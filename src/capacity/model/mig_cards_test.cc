#include "capacity/model/mig_cards.h"

#include <gtest/gtest.h>

#include "capacity/model/test_mig.h"

namespace plimsoll {
namespace {

TEST(MigCardsTest, FourFreeSlicesMayTakeNothingLarge) {
  // Slots 0, 1 and 5 hold a 1g each: compute slices 2, 3, 4 and 6 are free.
  const MigCard card = A100();
  const CardSlices taken{0b0010'0011, 3, 3 * 142};
  EXPECT_EQ(card.compute_slices - taken.compute, 4);
  EXPECT_EQ(MigRoom(card, taken, *card.Find(kMig4g)), 0);
  EXPECT_EQ(MigRoom(card, taken, *card.Find(kMig3g)), 0);
  EXPECT_EQ(MigRoom(card, taken, *card.Find(kMig2g)), 1);
  EXPECT_EQ(BestStart(card, taken, *card.Find(kMig2g)), 2);
  EXPECT_EQ(MigRoom(card, taken, *card.Find(kMig1g)), 4);
}

TEST(MigCardsTest, AnEmptyCardTakesAsManyAsTheGuideSays) {
  const MigCard card = A100();
  const std::int32_t most[] = {7, 3, 2, 1, 1};
  for (std::int32_t profile = kMig1g; profile <= kMig7g; ++profile) {
    EXPECT_EQ(MigRoom(card, {}, *card.Find(profile)), most[profile]) << profile;
  }
  EXPECT_EQ(card.Find(17), nullptr);
}

TEST(MigCardsTest, ASmallInstanceLeavesRoomForTheLargest) {
  const MigCard card = A100();
  EXPECT_EQ(BestStart(card, {}, *card.Find(kMig1g)), 6);  // 4g at 0 and 2g at 4 stay possible
  EXPECT_EQ(BestStart(card, {}, *card.Find(kMig3g)), 4);  // 4g at 0 stays possible
  const CardSlices full{0xFF, 7, 1'000};
  EXPECT_EQ(BestStart(card, full, *card.Find(kMig1g)), std::nullopt);
}

TEST(MigCardsTest, ComputeSlicesRunOutBeforeMemory) {
  const MigCard card = A100();
  const CardSlices taken{0b0000'1111, 4, 571};  // a 4g
  EXPECT_EQ(MigRoom(card, taken, *card.Find(kMig3g)), 1);
  EXPECT_EQ(MigRoom(card, {0b0000'1111, 5, 571}, *card.Find(kMig3g)), 0);
}

TEST(MigCardsTest, PartsOfACardAreItsComputeSlicesRoundedDown) {
  const MigCard card = A100();
  EXPECT_EQ(MigMilli(card, *card.Find(kMig1g)), 142);
  EXPECT_EQ(MigMilli(card, *card.Find(kMig3g)), 428);
  EXPECT_EQ(MigMilli(card, *card.Find(kMig7g)), 1'000);
}

}  // namespace
}  // namespace plimsoll
