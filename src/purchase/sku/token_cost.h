// What output tokens cost at a measured rate, and at what price another GPU would be as cheap.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "units/money.h"

namespace plimsoll {

// Part of tokens that count, in millionths: 950'000 of 1'000'000 kept the SLO.
inline constexpr std::int64_t kAllGood = 1'000'000;

struct TokenRate {
  std::int64_t milli_tokens_per_second = 0;  // output tokens of one replica, in thousandths
  std::int64_t good_ppm = kAllGood;
};

// Cost of a million good output tokens of a replica that costs `per_hour` and is used all the
// time: per_hour x 1e6 / (3600 x rate x good share), rounded once, half to even.
// Fails with kOutOfRange past 38 digits. REQUIRES: rate and good share > 0
Result<Money> CostPerMillionTokens(Money per_hour, TokenRate rate);

// a / b in billionths, half to even: at this ratio of their prices per GPU-hour, GPUs that
// make `a` and `b` tokens a second cost the same per token. REQUIRES: b > 0
std::int64_t RatioNanos(int128 a, int128 b);

}  // namespace plimsoll
