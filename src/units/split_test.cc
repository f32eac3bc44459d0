#include "units/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace plimsoll {
namespace {

std::vector<Money> Split(Money total, std::vector<std::int64_t> weights) {
  Result<std::vector<Money>> parts = SplitByWeight(total, weights);
  EXPECT_TRUE(parts) << parts.error().message;
  return *std::move(parts);
}

TEST(SplitTest, OneConsumerGetsEverything) {
  EXPECT_EQ(Split(Money::Units(7), {3}), std::vector{Money::Units(7)});
}

TEST(SplitTest, LeftOverNanoGoesToEarlierIndexOnTie) {
  EXPECT_EQ(Split(Money::FromNanos(10), {1, 1, 1}),
            (std::vector{Money::FromNanos(4), Money::FromNanos(3), Money::FromNanos(3)}));
}

TEST(SplitTest, CreditSplitsLikeItsCharge) {
  EXPECT_EQ(Split(Money::FromNanos(-10), {1, 1, 1}),
            (std::vector{Money::FromNanos(-4), Money::FromNanos(-3), Money::FromNanos(-3)}));
}

TEST(SplitTest, RejectsWeightsThatAreAllZero) {
  const auto parts = SplitByWeight(Money::Units(1), std::vector<std::int64_t>{0, 0});
  ASSERT_FALSE(parts);
  EXPECT_EQ(parts.error().code, ErrorCode::kInvalidArgument);
}

TEST(SplitTest, RejectsAProductPast38Digits) {
  const Money huge = Money::FromNanos(int128{1} << 100);
  const auto parts = SplitByWeight(huge, std::vector<std::int64_t>{1, std::int64_t{1} << 40});
  ASSERT_FALSE(parts);
  EXPECT_EQ(parts.error().code, ErrorCode::kOutOfRange);
}

// Property: the buffer form, with narrow, wide and many weights, gives the same parts as the
// definition carried out in 128 bits.
TEST(SplitPropertyTest, EveryFormAgreesWithTheDefinition) {
  constexpr std::uint64_t kSeed = 20261129;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 5'000; ++round) {
    const std::size_t n = 1 + random() % (round % 10 == 0 ? 150 : 8);
    std::vector<std::int64_t> weights(n);
    for (auto& w : weights) w = static_cast<std::int64_t>(random() >> (2 + random() % 62));
    weights[random() % n] += 1;
    const auto total =
        static_cast<std::int64_t>(random() >> (1 + random() % 60)) * (random() % 2 ? 1 : -1);
    int128 sum = 0;
    for (const auto w : weights) sum += w;
    const int128 magnitude = total < 0 ? -int128{total} : int128{total};
    std::vector<std::size_t> order(n);
    std::vector<int128> expected(n);
    int128 left = magnitude;
    for (std::size_t i = 0; i < n; ++i) {
      order[i] = i;
      expected[i] = magnitude * weights[i] / sum;
      left -= expected[i];
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return magnitude * weights[a] % sum > magnitude * weights[b] % sum;
    });
    for (std::size_t i = 0; i < static_cast<std::size_t>(left); ++i) ++expected[order[i]];
    std::vector<std::int64_t> narrow(n);
    std::vector<int128> wide(n), widest(n);
    const std::vector<int128> wide_weights(weights.begin(), weights.end());
    ASSERT_TRUE(SplitInto(total, weights, narrow));
    ASSERT_TRUE(SplitInto(int128{total}, std::span<const std::int64_t>(weights), wide));
    ASSERT_TRUE(SplitInto(int128{total}, std::span<const int128>(wide_weights), widest));
    for (std::size_t i = 0; i < n; ++i) {
      const int128 part = total < 0 ? -expected[i] : expected[i];
      ASSERT_TRUE(narrow[i] == part && wide[i] == part && widest[i] == part) << i;
    }
  }
}

// Property: parts add up to the total, and each is within one nano of exact.
TEST(SplitPropertyTest, ConservesTotalForRandomWeights) {
  constexpr std::uint64_t kSeed = 20260901;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::int64_t> weights(1 + random() % 9);
    for (auto& w : weights)
      w = static_cast<std::int64_t>(random() % (random() % 3 == 0 ? 2 : 1'000'000'007));
    weights[0] += 1;
    const Money total = Money::FromNanos(
        static_cast<std::int64_t>(random() >> (random() % 60 + 1)) * (random() % 2 ? 1 : -1));
    const auto parts = Split(total, weights);
    Money sum;
    for (const Money part : parts) sum += part;
    ASSERT_EQ(sum.ToString(), total.ToString());
  }
}

}  // namespace
}  // namespace plimsoll
