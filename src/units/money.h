// Money: an exact amount in the dataset's one billing currency.
//
// Counts whole nanos (1e-9 of the currency unit) in 128 bits, so that sums over any
// dataset we accept are exact and order never matters. There is no conversion to or from
// floating point; text and DECIMAL(38,9) are the only ways in and out. Money carries no
// currency: a billing scope has exactly one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "base/result.h"
#include "units/quantity.h"

namespace plimsoll {

__extension__ using int128 = __int128;

class Money {
 public:
  static constexpr int kScale = 9;
  static constexpr std::int64_t kNanosPerUnit = 1'000'000'000;

  constexpr Money() = default;
  static constexpr Money FromNanos(int128 nanos) { return Money(nanos); }
  static constexpr Money Units(std::int64_t n) { return Money(int128{n} * kNanosPerUnit); }

  // Parses "-12.5"; more than nine decimals is an error, never a rounding.
  // Bill files, which carry more, go through ExactDecimal (units/decimal.h).
  static Result<Money> Parse(std::string_view text);
  std::string ToString() const;  // always nine decimals: "-0.000000001"

  constexpr int128 nanos() const { return nanos_; }

  friend constexpr auto operator<=>(Money, Money) = default;
  friend constexpr Money operator+(Money a, Money b) { return Money(a.nanos_ + b.nanos_); }
  friend constexpr Money operator-(Money a, Money b) { return Money(a.nanos_ - b.nanos_); }
  friend constexpr Money operator-(Money a) { return Money(-a.nanos_); }
  constexpr Money& operator+=(Money b) { return *this = *this + b; }
  constexpr Money& operator-=(Money b) { return *this = *this - b; }

 private:
  explicit constexpr Money(int128 nanos) : nanos_(nanos) {}
  int128 nanos_ = 0;
};
static_assert(sizeof(Money) == 16);

// For test failure messages: prints ToString().
void PrintTo(Money money, std::ostream* out);

// A price is an amount per block of a unit, as the price list states it:
// $0.0375 per 1M Tokens stays {0.0375, 1'000'000} and is never divided out.
template <class Unit>
struct UnitPrice {
  Money amount;
  Unit per;
};

enum class Rounding : unsigned char { kHalfEven, kDown };

// The one place where price times quantity is rounded.
// REQUIRES: price.per > 0. Fails with kOutOfRange past 38 digits.
template <class Unit>
Result<Money> CostOf(Unit consumed, UnitPrice<Unit> price, Rounding rounding);

// REQUIRES: denominator > 0
int128 DivideHalfEven(int128 numerator, int128 denominator);

}  // namespace plimsoll
