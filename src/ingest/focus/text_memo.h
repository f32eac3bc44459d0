// TextMemo: remembers what was computed from recent texts, in bounded memory.
//
// A bill repeats its times, tags and SKU details millions of times. Each text has one slot
// (by its hash); a text that falls on another's slot replaces it. Results never depend on
// what is remembered, as long as the computation is a function of the text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace plimsoll {

template <class Value>
class TextMemo {
 public:
  // REQUIRES: slots is a power of two
  explicit TextMemo(std::size_t slots) : slots_(slots) {}

  // The value of `text`, computed by `compute(text)` unless remembered. Valid until the next
  // call.
  template <class Compute>
  const Value& Get(std::string_view text, const Compute& compute) {
    Slot& slot = slots_[HashOf(text).low & (slots_.size() - 1)];
    if (!slot.is_set || slot.text != text) {
      slot.text.assign(text);
      slot.value = compute(text);
      slot.is_set = true;
    }
    return slot.value;
  }

 private:
  struct Slot {
    std::string text;
    Value value{};
    bool is_set = false;
  };
  std::vector<Slot> slots_;
};

}  // namespace plimsoll
