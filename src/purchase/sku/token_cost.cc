#include "purchase/sku/token_cost.h"

#include "base/check.h"

namespace plimsoll {

Result<Money> CostPerMillionTokens(Money per_hour, TokenRate rate) {
  PLIMSOLL_CHECK(rate.milli_tokens_per_second > 0 && rate.good_ppm > 0);
  // A million tokens, and rates in thousandths of tokens and millionths of good ones.
  constexpr std::int64_t kScale = std::int64_t{1'000'000} * 1'000 * kAllGood;
  int128 over = 0;
  if (__builtin_mul_overflow(per_hour.nanos(), int128{kScale}, &over)) {
    return Error{ErrorCode::kOutOfRange, "the price of an hour is too large to divide by tokens"};
  }
  const int128 under = int128{rate.milli_tokens_per_second} * rate.good_ppm * 3'600;
  return Money::FromNanos(DivideHalfEven(over, under));
}

std::int64_t RatioNanos(int128 a, int128 b) {
  PLIMSOLL_CHECK(b > 0);
  return static_cast<std::int64_t>(DivideHalfEven(a * Money::kNanosPerUnit, b));
}

}  // namespace plimsoll
