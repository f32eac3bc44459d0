// JsonValue: one JSON value of a request log, with numbers as they are written.
//
// Ours and not a library's, because timings are decimals of more digits than a binary fraction
// keeps, and because Python writes NaN and Infinity as bare words, which are not JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace plimsoll {

class JsonValue {
 public:
  enum class Kind : unsigned char { kNull, kBoolean, kNumber, kText, kArray, kObject };

  Kind kind = Kind::kNull;
  std::string text;              // of a number as written, a text unescaped, true or false
  std::vector<JsonValue> items;  // of an array
  std::vector<std::pair<std::string, JsonValue>> members;  // of an object, as written

  bool is_object() const { return kind == Kind::kObject; }
  bool is_array() const { return kind == Kind::kArray; }

  // The member of an object; the last one if it comes twice. Null if it is absent or null.
  const JsonValue* Find(std::string_view key) const;
  // Follows "metadata/usage_object/prompt_tokens": keys may hold dots, never slashes. A text
  // that is JSON itself is gone into: some logs write objects as texts.
  const JsonValue* FindPath(std::string_view path) const;
  // Text of a number, text or boolean; "" of anything else.
  std::string_view Scalar() const;

 private:
  mutable std::vector<JsonValue> parsed_;  // of a text that is JSON; one at most
};

// Takes one value from the front of `text`, with the blanks before it. Fails with kBadData,
// saying what is wrong where; `text` is then unspecified. kOutOfRange: the text ends within the
// value.
Result<JsonValue> TakeJson(std::string_view& text);

// A value and blanks, nothing else.
Result<JsonValue> ParseJson(std::string_view text);

}  // namespace plimsoll
