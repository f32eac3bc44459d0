// Hash128: a 128-bit content hash whose sum does not depend on row order.
//
// A snapshot is the same as another if its rows are the same, in any order: each row is
// hashed alone (XXH3-128 over its fields, each with its length) and the hashes are added
// modulo 2^128. Not for secrets: it tells changed from unchanged, nothing more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

struct Hash128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const Hash128&, const Hash128&) = default;
  Hash128& operator+=(const Hash128& other);
  std::string ToHex() const;  // 32 lower-case digits
};

Hash128 HashOf(std::string_view bytes);

// Gathers the fields of one row; a field's length is hashed with it, so that
// ("ab", "c") and ("a", "bc") differ, and a null differs from an empty text.
class RowHasher {
 public:
  void Add(std::string_view field);
  void AddNull();
  void Add(std::int64_t number);
  Hash128 Finish();  // and starts the next row

 private:
  std::string buffer_;
};

}  // namespace plimsoll
