#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace plimsoll {

Hash128& Hash128::operator+=(const Hash128& other) {
  const std::uint64_t sum = low + other.low;
  high += other.high + (sum < low ? 1 : 0);
  low = sum;
  return *this;
}

std::string Hash128::ToHex() const {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out(32, '0');
  for (std::size_t i = 0; i < 16; ++i) {
    out[15 - i] = kDigits[(high >> (4 * i)) & 0xF];
    out[31 - i] = kDigits[(low >> (4 * i)) & 0xF];
  }
  return out;
}

Hash128 HashOf(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

void RowHasher::Add(std::string_view field) {
  Add(static_cast<std::int64_t>(field.size()));
  buffer_.append(field);
}

void RowHasher::AddNull() { Add(std::int64_t{-1}); }

void RowHasher::Add(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  for (int byte = 0; byte < 8; ++byte) {
    buffer_.push_back(static_cast<char>((bits >> (8 * byte)) & 0xFF));
  }
}

Hash128 RowHasher::Finish() {
  const Hash128 hash = HashOf(buffer_);
  buffer_.clear();
  return hash;
}

}  // namespace plimsoll
