#include "base/seen_hashes.h"

namespace plimsoll {
namespace {

// Zero stands for an empty slot.
Hash128 NotZero(Hash128 hash) {
  if (hash == Hash128{}) hash.high = 1;
  return hash;
}

}  // namespace

std::size_t SeenHashes::SlotOf(Hash128 hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash.low & mask;
  while (slots_[at] != Hash128{} && slots_[at] != hash) at = (at + 1) & mask;
  return at;
}

bool SeenHashes::Contains(Hash128 hash) const { return slots_[SlotOf(NotZero(hash))] != Hash128{}; }

bool SeenHashes::Insert(Hash128 hash) {
  hash = NotZero(hash);
  Hash128& slot = slots_[SlotOf(hash)];
  if (slot != Hash128{}) return false;
  slot = hash;
  if (4 * ++size_ > 3 * slots_.size()) MoveTo(2 * slots_.size());
  return true;
}

void SeenHashes::Reserve(std::size_t ids) {
  std::size_t slots = slots_.size();
  while (4 * ids > 3 * slots) slots *= 2;
  if (slots > slots_.size()) MoveTo(slots);
}

void SeenHashes::MoveTo(std::size_t slots) {
  std::vector<Hash128> old(slots);
  old.swap(slots_);
  for (const Hash128& hash : old) {
    if (hash != Hash128{}) slots_[SlotOf(hash)] = hash;
  }
}

}  // namespace plimsoll
