// Sample values: decimal text to a scaled integer, the same from a file and from a server.
//
// A server prints a double's shortest form, a file has what the exporter printed; both are
// decimals, and both are rounded here half to even from their digits, with no floating point
// between. So 0.962104 is 962,104 parts per million either way, on every machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll {

// A decimal ("97", "-0.5", "1.5e+09") as value x 10^scale, rounded half to even; beyond
// int64 it is INT64_MAX or INT64_MIN. Null if it is no decimal. REQUIRES: |scale| <= 18
std::optional<std::int64_t> ParseScaled(std::string_view text, int scale);

// Sample times beyond the year 10,000, either way, are no times.
inline constexpr std::int64_t kSampleTimeMax = 253'402'300'800'000;
constexpr bool IsSampleTime(std::int64_t ms) {
  return ms <= kSampleTimeMax && ms >= -kSampleTimeMax;
}

// What an exposition calls a value: a decimal, NaN, +Inf, -Inf, Inf.
bool IsSampleValue(std::string_view text);

// NaN, or infinite: nothing was measured.
bool IsNotANumber(std::string_view text);

// DCGM's "blank" constants, which old exporters print as numbers: 2147483632..35 and above
// for what is never that great, 140737488355328..31, 9223372036854775792..95. `whole` is the
// value rounded to an integer.
constexpr bool IsBlank(std::int64_t whole) { return whole >= 2'147'483'632; }

}  // namespace plimsoll
