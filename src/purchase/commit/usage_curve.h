// UsageCurve: the hours of one flavor sorted by use, with running sums, so that what lies below
// any level is found in a binary search.
//
// Levels and use are unit-milliseconds an hour (kUnitHour is one unit). Scaled questions ask of
// use that has grown or shrunk to `scale` millionths of itself; their answers count millionths of
// a unit-millisecond and are exact.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "units/money.h"

namespace plimsoll {

class UsageCurve {
 public:
  static constexpr std::int64_t kWhole = 1'000'000;  // the scale of use as it is

  // REQUIRES: no hour is negative
  explicit UsageCurve(std::vector<std::int64_t> used);

  std::int64_t hours() const { return static_cast<std::int64_t>(sorted_.size()); }
  std::int64_t max() const { return sorted_.empty() ? 0 : sorted_.back(); }
  int128 total() const { return sums_.back(); }

  // The sum over hours of min(use x scale, level).
  int128 Below(std::int64_t level, std::int64_t scale = kWhole) const;

  // Nearest rank: the smallest use that at least `percent` of the hours do not exceed; 0 without
  // hours. REQUIRES: 0 < percent <= 100
  std::int64_t Percentile(std::int64_t percent) const;

 private:
  std::vector<std::int64_t> sorted_;  // ascending
  std::vector<int128> sums_;          // of the first i
};

}  // namespace plimsoll
