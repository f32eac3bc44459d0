// Keys of requests as small numbers, and the table of groups that they make.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/symbol.h"

namespace plimsoll {

__extension__ using uint128 = unsigned __int128;

// Bits of one text key in a packed key, and so the most values of it.
inline constexpr int kTextKeyBits = 20;
inline constexpr std::size_t kGroupsMax = std::size_t{1} << kTextKeyBits;

// Numbers the symbols of one column: the same symbol, the same number, from 0.
class SymbolNumbers {
 public:
  SymbolNumbers() : slots_(64, kEmpty) {}

  // kGroupsMax or more once there are too many.
  std::uint32_t NumberOf(Symbol symbol) {
    if (symbol == last_ && !symbols_.empty()) return last_number_;
    last_ = symbol;
    return last_number_ = Find(symbol);
  }
  Symbol SymbolOf(std::uint32_t number) const { return symbols_[number]; }
  std::size_t size() const { return symbols_.size(); }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
  std::uint32_t Find(Symbol symbol);

  std::vector<std::uint32_t> slots_;  // a power of two of them, at most half full
  std::vector<Symbol> symbols_;
  Symbol last_;
  std::uint32_t last_number_ = 0;
};

// Numbers packed keys: open addressing over a table of numbers.
class GroupNumbers {
 public:
  GroupNumbers() : slots_(256) {}

  std::uint32_t NumberOf(uint128 key);
  // Brings the place of `key` near, for NumberOf soon after.
  void Prefetch(uint128 key) const;
  uint128 KeyOf(std::uint32_t number) const { return keys_[number]; }
  std::size_t size() const { return keys_.size(); }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};
  struct Slot {
    uint128 key = 0;
    std::uint32_t number = kEmpty;
  };
  void Grow();

  std::vector<Slot> slots_;  // a power of two of them, at most half full
  std::vector<uint128> keys_;
};

// The bucket of a count of tokens; the last bucket but one is open, the last is "unknown".
std::size_t LengthBucketOf(const std::optional<std::int64_t>& tokens);
std::size_t LengthBucketCount();
// Where each bucket but the last begins.
std::vector<std::int64_t> LengthBucketEdges();

}  // namespace plimsoll
