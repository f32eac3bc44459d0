// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/slot_index.h"

namespace plimsoll {

SlotIndex::SlotIndex(std::span<const std::int64_t> slots) : size_(slots.size()) {
  for (std::uint32_t place = 0; place < slots.size(); ++place) Set(place, slots[place], true);
}

void SlotIndex::Move(std::uint32_t place, std::int64_t before, std::int64_t now) {
  Set(place, before, false);
  Set(place, now, true);
}

void SlotIndex::Set(std::uint32_t place, std::int64_t slots, bool in) {
  Lot& lot = lots_[Of(slots)];
  if (lot.words.empty()) {
    lot.words.resize((size_ + kBits - 1) / kBits);
    lot.blocks.resize((lot.words.size() + kBits - 1) / kBits);
  }
  const std::size_t word = place / kBits;
  const std::uint64_t bit = std::uint64_t{1} << (place % kBits);
  const std::uint64_t in_block = std::uint64_t{1} << (word % kBits);
  if (in) {
    lot.words[word] |= bit;
    lot.blocks[word / kBits] |= in_block;
    lot.together += slots;
  } else {
    lot.words[word] &= ~bit;
    if (lot.words[word] == 0) lot.blocks[word / kBits] &= ~in_block;
    lot.together -= slots;
  }
}

}  // namespace plimsoll
