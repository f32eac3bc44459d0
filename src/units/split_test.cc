#include "units/split.h"

#include <gtest/gtest.h>

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
