// Fixed point: powers and twelfth roots of rates a year, in integers of 1e-18.
//
// The same input gives the same digits on any machine, which a floating-point pow does not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "units/money.h"

namespace plimsoll {

inline constexpr int128 kFixedOne = int128{1'000'000'000} * 1'000'000'000;

// A product, rounded down. REQUIRES: 0 <= a, b; the product is below 1e20 ones.
int128 MultiplyFixed(int128 a, int128 b);

// (1 + rate) ^ (months / 12), within 1e-16 a month, for a rate a year in billionths.
// REQUIRES: -1e9 < rate_billionths <= 1e9; 0 <= months <= 60
int128 GrowthAfter(std::int64_t rate_billionths, std::int64_t months);

}  // namespace plimsoll
