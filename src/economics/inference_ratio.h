// Ratio: an exact positive fraction of whole numbers of any size, kept as its factors.
//
// Cost and token counts of a fleet multiply past 128 bits; their ratios must still multiply
// back to the last digit. So a ratio keeps what is above and below the line as lists of
// numbers, cancels common factors, and is divided out only to be printed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "units/money.h"

namespace plimsoll {

class Ratio {
 public:
  Ratio() = default;  // one
  // REQUIRES: every number is positive
  Ratio(std::initializer_list<int128> over, std::initializer_list<int128> under);

  friend Ratio operator*(const Ratio& a, const Ratio& b);
  Ratio Inverse() const;
  friend bool operator==(const Ratio& a, const Ratio& b);

  // With `places` decimals (at most 18), rounded half to even: "1.340000000".
  std::string ToDecimal(int places) const;

 private:
  void Cancel();

  std::vector<int128> over_, under_;  // without common factors, none is 1
};

}  // namespace plimsoll
