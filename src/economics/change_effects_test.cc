#include "economics/change_effects.h"

#include <gtest/gtest.h>

#include <random>

namespace plimsoll {
namespace {

SegmentOutput Made(std::int64_t output, std::int64_t hours, std::int64_t cost) {
  return {output, WholeGpuHours(hours), Money::Units(cost)};
}

TEST(ChangeEffectsTest, TwiceTheOutputAtTheSameUnitCostIsVolume) {
  const auto effects = EffectsOf({{"a", Made(100, 10, 20)}}, {{"a", Made(200, 20, 40)}});
  ASSERT_TRUE(effects) << effects.error().message;
  EXPECT_EQ(effects->volume, Money::Units(20));
  EXPECT_EQ(effects->mix, Money());
  EXPECT_EQ(effects->efficiency, Money());
  EXPECT_EQ(effects->price, Money());
}

TEST(ChangeEffectsTest, MoreGpuTimeForTheSameOutputIsEfficiencyAndADearerHourIsPrice) {
  // 10 hours at 2 become 15 hours at 3: 5 more hours at the old price, then 1 more each.
  const auto effects = EffectsOf({{"a", Made(100, 10, 20)}}, {{"a", Made(100, 15, 45)}});
  ASSERT_TRUE(effects) << effects.error().message;
  EXPECT_EQ(effects->volume, Money());
  EXPECT_EQ(effects->efficiency, Money::Units(10));
  EXPECT_EQ(effects->price, Money::Units(15));
}

TEST(ChangeEffectsTest, OutputThatMovesToADearerModelIsMix) {
  // Unit costs 1 and 3 stay; half of the output moves from the cheap to the dear one.
  const Segments before{{"small", Made(100, 50, 100)}, {"large", Made(100, 100, 300)}};
  const Segments after{{"small", Made(50, 25, 50)}, {"large", Made(150, 150, 450)}};
  const auto effects = EffectsOf(before, after);
  ASSERT_TRUE(effects) << effects.error().message;
  EXPECT_EQ(effects->volume, Money());
  EXPECT_EQ(effects->mix, Money::Units(100));
  EXPECT_EQ(effects->efficiency, Money());
  EXPECT_EQ(effects->price, Money());
}

TEST(ChangeEffectsTest, ASegmentThatComesOrGoesIsMix) {
  const auto effects = EffectsOf({{"old", Made(100, 10, 20)}}, {{"new", Made(100, 10, 70)}});
  ASSERT_TRUE(effects) << effects.error().message;
  EXPECT_EQ(effects->mix, Money::Units(50));
  EXPECT_EQ(effects->price, Money());
}

TEST(ChangeEffectsTest, WithoutOutputThereIsNothingToCompare) {
  const auto effects = EffectsOf({{"a", Made(0, 10, 20)}}, {{"a", Made(100, 10, 20)}});
  ASSERT_FALSE(effects);
  EXPECT_EQ(effects.error().code, ErrorCode::kInvalidArgument);
}

TEST(ChangeEffectsTest, TheEffectsAddUpToTheChangeWhateverTheRounding) {
  std::mt19937_64 random(20261130);
  const auto segments = [&] {
    Segments made;
    for (int i = 0; i < 6; ++i) {
      if (random() % 4 == 0) continue;
      made[std::string(1, static_cast<char>('a' + i))] = {
          static_cast<std::int64_t>(random() % 1'000'000'007),
          GpuHours::FromBase(static_cast<std::int64_t>(random() % 3'600'000'011)),
          Money::FromNanos(static_cast<std::int64_t>(random() % 1'000'000'000'039))};
    }
    made["always"] = Made(7, 3, 1);
    return made;
  };
  for (int round = 0; round < 2'000; ++round) {
    const auto effects = EffectsOf(segments(), segments());
    ASSERT_TRUE(effects) << effects.error().message;
    ASSERT_EQ(effects->volume + effects->mix + effects->efficiency + effects->price,
              effects->after - effects->before);
  }
}

}  // namespace
}  // namespace plimsoll
