// DemoRandom: a stream of numbers named by its purpose, the same on every machine.
//
// SplitMix64. A new purpose gets a new stream, so adding one never shifts the others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"

namespace plimsoll {

constexpr std::uint64_t MixBits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

class DemoRandom {
 public:
  DemoRandom(std::uint64_t seed, std::string_view purpose) : state_(MixBits(seed)) {
    for (const char c : purpose) state_ = MixBits(state_ ^ static_cast<unsigned char>(c));
  }

  std::uint64_t Next() { return MixBits(state_ += 0x9e3779b97f4a7c15U); }
  // low <= result <= high
  std::int64_t Between(std::int64_t low, std::int64_t high) {
    PLIMSOLL_CHECK(low <= high);
    const auto span = static_cast<std::uint64_t>(high - low) + 1U;
    return low + static_cast<std::int64_t>(Next() % span);
  }
  bool Chance(std::int64_t percent) { return Between(0, 99) < percent; }
  // `length` characters out of `alphabet`.
  std::string Text(std::size_t length, std::string_view alphabet) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += alphabet[Next() % alphabet.size()];
    return text;
  }
  std::string Hex(std::size_t length) { return Text(length, "0123456789abcdef"); }
  // "1b4e28ba-2fa1-41d2-883f-0016d3cca427"
  std::string Uuid() {
    return Hex(8) + "-" + Hex(4) + "-4" + Hex(3) + "-8" + Hex(3) + "-" + Hex(12);
  }

 private:
  std::uint64_t state_;
};

}  // namespace plimsoll
