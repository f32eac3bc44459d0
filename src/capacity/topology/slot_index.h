// SlotIndex: the nodes of a cluster by how many slots they have, each lot in order.
//
// A change of one node costs the same however many there are; nodes with the fewest slots are
// found without looking at the others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

class SlotIndex {
 public:
  // Nodes with as many slots or more share the last lot.
  static constexpr std::int64_t kLast = 64;

  // slots[i] are those of the node at place i.
  explicit SlotIndex(std::span<const std::int64_t> slots);

  void Move(std::uint32_t place, std::int64_t before, std::int64_t now);

  // Slots of all nodes of a lot together.
  std::int64_t together(std::int64_t lot) const { return lots_[Of(lot)].together; }

  // Calls visit(place) for nodes of a lot in order, until it returns false.
  template <class Visit>
  void ForEach(std::int64_t lot, Visit visit) const {
    const Lot& one = lots_[Of(lot)];
    for (std::size_t block = 0; block < one.blocks.size(); ++block) {
      for (std::uint64_t words = one.blocks[block]; words != 0; words &= words - 1) {
        const std::size_t word = block * kBits + Low(words);
        for (std::uint64_t bits = one.words[word]; bits != 0; bits &= bits - 1) {
          if (!visit(static_cast<std::uint32_t>(word * kBits + Low(bits)))) return;
        }
      }
    }
  }

 private:
  static constexpr std::size_t kBits = 64;
  static std::size_t Of(std::int64_t slots) {
    return static_cast<std::size_t>(slots < kLast ? slots : kLast);
  }
  static std::size_t Low(std::uint64_t bits) {
    return static_cast<std::size_t>(std::countr_zero(bits));
  }

  struct Lot {
    std::vector<std::uint64_t> words;   // bit i is the node at place i; empty until one is in it
    std::vector<std::uint64_t> blocks;  // bit i: word i is not 0
    std::int64_t together = 0;
  };
  void Set(std::uint32_t place, std::int64_t slots, bool in);

  std::size_t size_;
  std::array<Lot, kLast + 1> lots_;
};

}  // namespace plimsoll
