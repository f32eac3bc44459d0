// Fingerprint: a hash of what happened in a run, in its order.
//
// Two runs that did the same have the same; one event more, less, elsewhere in time or in another
// order changes it. Not for secrets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sim/random.h"

namespace plimsoll {

class Fingerprint {
 public:
  constexpr void Add(std::int64_t number) {
    value_ = MixBits((value_ ^ static_cast<std::uint64_t>(number)) + 0x9E3779B97F4A7C15U);
  }
  constexpr void Add(const Fingerprint& other) { Add(static_cast<std::int64_t>(other.value_)); }
  constexpr std::uint64_t value() const { return value_; }

  std::string ToHex() const {  // 16 lower-case digits
    std::string text(16, '0');
    for (std::size_t i = 0; i < 16; ++i) {
      text[i] = "0123456789abcdef"[(value_ >> (60 - 4 * i)) & 15U];
    }
    return text;
  }

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;

 private:
  std::uint64_t value_ = 0;
};

}  // namespace plimsoll
