// Values of request logs: counts, lengths of time and times, as any tool writes them.
//
// Decimals are read as text and rounded once to whole nanoseconds, half to even. NaN, infinity
// and the words for nothing are a value that is not told, never a number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/symbol.h"

namespace plimsoll {

// What a number that stands for time counts.
enum class TimeUnit : unsigned char { kSeconds, kMillis, kMicros, kNanos };

struct ParsedValue {
  enum class State : unsigned char { kValue, kMissing, kBad };
  State state = State::kMissing;
  std::int64_t value = 0;

  static ParsedValue Of(std::int64_t value) { return {State::kValue, value}; }
  static ParsedValue Bad() { return {State::kBad, 0}; }
};

// True of "", "-", null, none, n/a, nan, inf, infinity, in any case and with any sign.
bool IsNothing(std::string_view text);

// Nanoseconds, up to 30 years; a sign is read.
ParsedValue ParseNanoseconds(std::string_view text, TimeUnit unit);

// A whole number up to 10^9, "12" or "12.0"; a sign is read.
ParsedValue ParseTokenCount(std::string_view text);

// Nanoseconds since 1970 (UTC) between the years 1678 and 2261: a number of `unit`, or
// "2026-11-23T00:00:00.123456789+01:00" with a space for the T or without a zone (UTC).
class TimeReader {
 public:
  ParsedValue Read(std::string_view text, TimeUnit unit);

 private:
  ParsedValue ReadText(std::string_view text);

  std::string minute_;  // "2026-11-23T10:00:" of the time before, which most times share
  std::int64_t minute_ns_ = 0;
};

// Symbols of a column whose texts repeat: most are found without the table of all symbols.
class SymbolMemo {
 public:
  Symbol Of(std::string_view text);

 private:
  std::array<Symbol, 1'024> recent_;
};

}  // namespace plimsoll
