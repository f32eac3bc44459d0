// JsonText: JSON with its numbers as they are written.
//
// Training logs carry decimals that must not pass through floating point, and NaN and
// Infinity, which Python writes although JSON has no such words. Nesting is bounded by
// kNestingMax (base/limits.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

enum class JsonKind : unsigned char { kNull, kBool, kNumber, kString, kArray, kObject };

struct JsonMember;

struct JsonText {
  JsonKind kind = JsonKind::kNull;
  std::string text;  // a string's content, a number as written, "true" or "false"
  std::vector<JsonText> items;
  std::vector<JsonMember> members;  // in the order of the text

  // The member of that name, the last one if it is written twice; null if there is none.
  const JsonText* Find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  JsonText value;
};

struct JsonFault {
  std::size_t offset = 0;  // in bytes, where the text stops being JSON
  bool cut = false;        // all before is right, and the text ends too early
  std::string reason;
};

// Reads one value that takes up all of `text` but white space around it. On failure returns
// false and says what is wrong in `fault`. Strings must be UTF-8; lone surrogates of \u
// escapes become U+FFFD.
bool ParseJsonText(std::string_view text, JsonText& value, JsonFault& fault);

}  // namespace plimsoll
