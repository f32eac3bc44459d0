// SeenHashes: a set of 128-bit hashes of ids, for telling what was met before.
//
// Sixteen bytes an id and up to twice that in free slots; ten million ids take 256 MiB. The
// odds that two different ids among so many share a hash are one in 10^24.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/hash.h"

namespace plimsoll {

class SeenHashes {
 public:
  SeenHashes() : slots_(1'024) {}

  // True the first time.
  bool Insert(Hash128 hash);
  bool Contains(Hash128 hash) const;
  std::size_t size() const { return size_; }
  // Makes room for so many in all, so that inserting them moves none.
  void Reserve(std::size_t ids);

  // Brings the slot of `hash` near, for an Insert soon after: the table outgrows every cache.
  void Prefetch(Hash128 hash) const { __builtin_prefetch(&slots_[hash.low & (slots_.size() - 1)]); }

 private:
  std::size_t SlotOf(Hash128 hash) const;  // where it is, or would be
  void MoveTo(std::size_t slots);

  std::vector<Hash128> slots_;  // all zero is empty
  std::size_t size_ = 0;
};

}  // namespace plimsoll
