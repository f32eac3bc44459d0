#include "economics/inference_keys.h"

#include <array>
#include <bit>

#include "economics/inference_fold.h"

namespace plimsoll {
namespace {

// The first count of each bucket; finer where prompts of chats and documents lie.
constexpr std::array<std::int64_t, 11> kEdges{0,    1,    128,   512,   1024,  2048,
                                              4096, 8192, 16384, 32768, 131072};

// Bucket by the number's bit width: exact, as every edge above 1 is a power of two.
constexpr auto kBucketOfWidth = [] {
  std::array<unsigned char, 65> buckets{};
  for (std::size_t width = 1; width < buckets.size(); ++width) {
    const std::int64_t least = width > 62 ? kEdges.back() : std::int64_t{1} << (width - 1);
    for (std::size_t i = 0; i < kEdges.size(); ++i) {
      if (kEdges[i] <= least) buckets[width] = static_cast<unsigned char>(i);
    }
  }
  return buckets;
}();

std::uint64_t Mix(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15ULL;
  return x ^ (x >> 29);
}

}  // namespace

std::size_t LengthBucketCount() { return kEdges.size() + 1; }

std::vector<std::int64_t> LengthBucketEdges() { return {kEdges.begin(), kEdges.end()}; }

std::size_t LengthBucketOf(const std::optional<std::int64_t>& tokens) {
  if (!tokens) return kEdges.size();
  return kBucketOfWidth[static_cast<std::size_t>(
      std::bit_width(static_cast<std::uint64_t>(*tokens)))];
}

std::string LengthBucketName(std::size_t bucket) {
  if (bucket >= kEdges.size()) return "unknown";
  if (bucket + 1 == kEdges.size()) return std::to_string(kEdges.back()) + "+";
  const std::int64_t last = kEdges[bucket + 1] - 1;
  if (last == kEdges[bucket]) return std::to_string(last);
  return std::to_string(kEdges[bucket]) + "-" + std::to_string(last);
}

std::uint32_t SymbolNumbers::Find(Symbol symbol) {
  std::size_t mask = slots_.size() - 1;
  std::size_t at = Mix(symbol.Hash()) & mask;
  for (; slots_[at] != kEmpty; at = (at + 1) & mask) {
    if (symbols_[slots_[at]] == symbol) return slots_[at];
  }
  const auto number = static_cast<std::uint32_t>(symbols_.size());
  symbols_.push_back(symbol);
  slots_[at] = number;
  if (2 * symbols_.size() <= slots_.size()) return number;
  slots_.assign(2 * slots_.size(), kEmpty);
  mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < symbols_.size(); ++i) {
    std::size_t slot = Mix(symbols_[i].Hash()) & mask;
    while (slots_[slot] != kEmpty) slot = (slot + 1) & mask;
    slots_[slot] = i;
  }
  return number;
}

namespace {

std::uint64_t HashOfKey(uint128 key) {
  return Mix(static_cast<std::uint64_t>(key) ^ Mix(static_cast<std::uint64_t>(key >> 64)));
}

}  // namespace

void GroupNumbers::Prefetch(uint128 key) const {
  __builtin_prefetch(&slots_[HashOfKey(key) & (slots_.size() - 1)]);
}

std::uint32_t GroupNumbers::NumberOf(uint128 key) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = HashOfKey(key) & mask;
  for (; slots_[at].number != kEmpty; at = (at + 1) & mask) {
    if (slots_[at].key == key) return slots_[at].number;
  }
  const auto number = static_cast<std::uint32_t>(keys_.size());
  keys_.push_back(key);
  slots_[at] = {key, number};
  if (2 * keys_.size() > slots_.size()) Grow();
  return number;
}

void GroupNumbers::Grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == kEmpty) continue;
    std::size_t at = HashOfKey(slot.key) & mask;
    while (slots_[at].number != kEmpty) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace plimsoll
