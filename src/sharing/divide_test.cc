#include "sharing/divide.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Parts = std::vector<Halves<int128>>;

Taker Whole(std::size_t key, std::int64_t weight) { return {key, {weight, 0}, {true, false}}; }

Parts Divided(std::int64_t total, std::vector<Taker> takers, std::vector<int128> keys = {}) {
  const auto parts = Divide(total, takers, keys);
  EXPECT_TRUE(parts) << parts.error().message;
  return parts ? *parts : Parts();
}

TEST(DivideTest, KeysWeighWhatTheirTakersDo) {
  const Parts parts = Divided(100, {Whole(0, 1), Whole(0, 1), Whole(1, 2)});
  EXPECT_EQ(parts, (Parts{{25, 0}, {25, 0}, {50, 0}}));
}

TEST(DivideTest, GivenKeyWeightsDivideFirstAndCostWithin) {
  const Parts parts = Divided(100, {Whole(0, 3), Whole(0, 1), Whole(1, 50)}, {1, 1});
  EXPECT_EQ(parts, (Parts{{38, 0}, {12, 0}, {50, 0}}));  // 37.5 and 12.5: the earlier gets more
}

TEST(DivideTest, HalvesNeverChangeWhatOthersGet) {
  for (std::int64_t total = -50; total <= 50; ++total) {
    const Parts whole = Divided(total, {Whole(0, 3), Whole(1, 5), Whole(2, 3)});
    const Taker halved{1, {2, 3}, {true, true}};
    const Parts parts = Divided(total, {Whole(0, 3), halved, Whole(2, 3)});
    EXPECT_EQ(parts[0], whole[0]);
    EXPECT_EQ(parts[1][kKept] + parts[1][kDropped], whole[1][kKept]);
    EXPECT_EQ(parts[2], whole[2]);
  }
}

TEST(DivideTest, WithoutAnyWeightNobodyTakes) {
  EXPECT_TRUE(Divided(100, {}).empty());
  EXPECT_TRUE(Divided(100, {Whole(0, 0), Whole(1, -4)}).empty());
  EXPECT_TRUE(Divided(100, {Whole(0, 7)}, {0}).empty());
}

TEST(DivideTest, AKeyWithoutCostDividesEvenlyWithin) {
  EXPECT_EQ(Divided(3, {Whole(0, 0), Whole(0, -1)}, {1}), (Parts{{2, 0}, {1, 0}}));
  EXPECT_EQ(Divided(3, {{0, {0, 0}, {true, true}}}, {1}), (Parts{{2, 1}}));
  EXPECT_EQ(Divided(3, {{0, {0, 9}, {false, true}}}, {1}), (Parts{{0, 3}}));
}

TEST(DivideTest, ACreditOfOneTakerMakesItTakeNothing) {
  EXPECT_EQ(Divided(10, {Whole(0, -5), Whole(1, 5)}), (Parts{{0, 0}, {10, 0}}));
}

TEST(DivideTest, TooLargeIsAnErrorWithARemedy) {
  const std::vector<Taker> takers{Whole(0, 1), Whole(1, 1)};
  const std::vector<int128> weights{int128{1} << 120, 1};
  const auto parts = Divide(int128{1} << 100, takers, weights);
  ASSERT_FALSE(parts);
  EXPECT_EQ(parts.error().code, ErrorCode::kOutOfRange);
  EXPECT_NE(parts.error().message.find("shorter step"), std::string::npos);
}

TEST(ApportionTest, FollowsTheSignOfTheSum) {
  const auto apportioned = [](std::int64_t total, std::vector<int128> amounts) {
    return *Apportion(total, amounts);
  };
  EXPECT_EQ(apportioned(6, {8, 4, -2}), (std::vector<int128>{4, 2, 0}));
  EXPECT_EQ(apportioned(-6, {-8, -4, 2}), (std::vector<int128>{-4, -2, 0}));
  EXPECT_EQ(apportioned(0, {3, -3}), (std::vector<int128>{0, 0}));
  EXPECT_EQ(apportioned(2, {3, -3}), (std::vector<int128>{1, 1}));
}

}  // namespace
}  // namespace plimsoll
