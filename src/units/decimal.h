// ExactDecimal: a decimal from a bill at its full written scale.
//
// Bills carry up to 28 decimals and E-notation; Money keeps nine. An ExactDecimal is the
// floor in nanos plus the rest in units of 1e-40, so that a load's sums are exact and rows
// can be rounded by largest remainder (domain: rows add up to the exact total rounded once).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/result.h"
#include "units/money.h"

namespace plimsoll {

class ExactDecimal {
 public:
  static constexpr int kScale = 40;
  static constexpr int kRestDigits = kScale - Money::kScale;  // rest counts 1e-40 up to 1e31

  constexpr ExactDecimal() = default;

  // Reads "12.5", "-0.0000000072922557592391990000", "1.81E-8", "5e-06", "+3".
  // Fails with kBadData on anything else, more than 40 decimals, or more than 27 integer
  // digits; never rounds.
  static Result<ExactDecimal> Parse(std::string_view text);
  static ExactDecimal FromMoney(Money money);

  Money floor() const { return floor_; }  // toward minus infinity
  int128 rest() const { return rest_; }   // 0 <= rest < 10^31, in units of 1e-40
  bool is_nano_exact() const { return rest_ == 0; }

  Money RoundHalfEven() const;
  std::string ToString() const;  // shortest exact decimal: "0.0000008", "12", "-1.5"

  ExactDecimal& operator+=(const ExactDecimal& other);
  ExactDecimal operator-() const;
  friend auto operator<=>(const ExactDecimal&, const ExactDecimal&) = default;

 private:
  Money floor_;
  int128 rest_ = 0;
};

}  // namespace plimsoll
