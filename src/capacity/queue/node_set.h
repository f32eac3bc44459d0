// NodeSet: a set of node ids that finds the next member in constant time.
//
// One bit a node and one bit for each 64 of those.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll {

class NodeSet {
 public:
  static constexpr std::size_t kEnd = ~std::size_t{0};

  // Of ids below `size`.
  explicit NodeSet(std::size_t size) : words_((size + 63) / 64), tops_((words_.size() + 63) / 64) {}

  void Insert(std::size_t id) {
    words_[id / 64] |= Bit(id % 64);
    tops_[id / 4096] |= Bit(id / 64 % 64);
  }
  void Erase(std::size_t id) {
    if ((words_[id / 64] &= ~Bit(id % 64)) == 0) tops_[id / 4096] &= ~Bit(id / 64 % 64);
  }

  // The least member that is `from` or more, kEnd if there is none.
  std::size_t Next(std::size_t from) const {
    std::size_t word = from / 64;
    if (word >= words_.size()) return kEnd;
    if (const std::uint64_t rest = words_[word] >> (from % 64); rest != 0) {
      return from + Zeros(rest);
    }
    word += 1;
    for (std::size_t top = word / 64; top < tops_.size(); ++top, word = top * 64) {
      const std::uint64_t rest = tops_[top] >> (word % 64);
      if (rest == 0) continue;
      word += Zeros(rest);
      return word * 64 + Zeros(words_[word]);
    }
    return kEnd;
  }

 private:
  static constexpr std::uint64_t Bit(std::size_t i) { return std::uint64_t{1} << i; }
  static std::size_t Zeros(std::uint64_t bits) {
    return static_cast<std::size_t>(std::countr_zero(bits));
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> tops_;  // which words are not zero
};

}  // namespace plimsoll
