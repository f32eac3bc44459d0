#include "purchase/sku/token_cost.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Money Amount(const char* text) { return *Money::Parse(text); }

TEST(TokenCostTest, PriceOfAnHourByTokensOfAnHour) {
  // At 1000/1000, Llama-3.3-70B: 2 x H100 4205, H200 2909, B200 7007 tokens a second.
  EXPECT_EQ(*CostPerMillionTokens(Amount("2"), {4'205'000}), Amount("0.132117849"));
  EXPECT_EQ(*CostPerMillionTokens(Amount("1"), {2'909'000}), Amount("0.095489095"));
  EXPECT_EQ(*CostPerMillionTokens(Amount("1"), {7'007'000}), Amount("0.039642897"));
}

TEST(TokenCostTest, TokensThatMissTheSloArePaidByTheOthers) {
  const Money all = *CostPerMillionTokens(Amount("3.6"), {1'000'000});
  EXPECT_EQ(all, Amount("1"));
  EXPECT_EQ(*CostPerMillionTokens(Amount("3.6"), {1'000'000, 500'000}), Amount("2"));
}

TEST(TokenCostTest, FreeIsFreeAndTooMuchIsAnError) {
  EXPECT_EQ(*CostPerMillionTokens(Money(), {1}), Money());
  const auto huge = CostPerMillionTokens(Money::FromNanos(int128{1} << 100), {1});
  ASSERT_FALSE(huge.has_value());
  EXPECT_EQ(huge.error().code, ErrorCode::kOutOfRange);
}

TEST(TokenCostTest, PublishedIndifferenceRatios) {
  EXPECT_EQ(RatioNanos(7'007, 2'909), 2'408'731'523);      // B200 to H200: 2.409
  EXPECT_EQ(RatioNanos(2'909 * 2, 4'205), 1'383'590'963);  // H200 to H100: 1.384
}

}  // namespace
}  // namespace plimsoll
