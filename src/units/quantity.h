// Quantity<Tag>: a whole number of one unit, which adds only to its own kind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace plimsoll {

template <class Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  static constexpr Quantity FromBase(std::int64_t n) { return Quantity(n); }
  constexpr std::int64_t base() const { return base_; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(a.base_ + b.base_);
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.base_ - b.base_);
  }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.base_); }
  constexpr Quantity& operator+=(Quantity b) { return *this = *this + b; }
  constexpr Quantity& operator-=(Quantity b) { return *this = *this - b; }

 private:
  explicit constexpr Quantity(std::int64_t n) : base_(n) {}
  std::int64_t base_ = 0;
};

using GpuHours = Quantity<struct GpuHoursTag>;  // base unit: one GPU for one millisecond
using Tokens = Quantity<struct TokensTag>;      // base unit: one token

constexpr GpuHours GpuMillis(std::int64_t n) { return GpuHours::FromBase(n); }
constexpr GpuHours GpuSeconds(std::int64_t n) { return GpuHours::FromBase(n * 1'000); }
constexpr GpuHours WholeGpuHours(std::int64_t n) { return GpuHours::FromBase(n * 3'600'000); }
constexpr Tokens TokenCount(std::int64_t n) { return Tokens::FromBase(n); }
constexpr Tokens MillionTokens(std::int64_t n) { return Tokens::FromBase(n * 1'000'000); }

// GPU-hours as a decimal with nine places, rounded half to even: 1 GPU-ms is
// "0.000000278". The integer GPU-milliseconds stay the fact.
std::string ToDecimalHours(GpuHours hours);

}  // namespace plimsoll
