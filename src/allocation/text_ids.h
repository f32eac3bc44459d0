// TextIds: small numbers for texts, in order of first sight, so that hot loops compare
// numbers. An id is only good within its table; never stored.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/symbol.h"

namespace plimsoll {

class TextIds {
 public:
  std::int32_t Of(std::string_view text);          // a new id for a new text
  std::int32_t Find(std::string_view text) const;  // -1 if unknown
  // Several fields as one text; a field's end is part of it.
  std::int32_t OfFields(std::initializer_list<std::string_view> fields);
  std::int32_t FindFields(std::initializer_list<std::string_view> fields);

  const std::string& TextOf(std::int32_t id) const { return texts_[static_cast<std::size_t>(id)]; }
  std::int32_t size() const { return static_cast<std::int32_t>(texts_.size()); }

 private:
  void Join(std::initializer_list<std::string_view> fields);

  std::deque<std::string> texts_;  // a deque, so that the views below stay good
  std::unordered_map<std::string_view, std::int32_t> ids_;
  std::string joined_;
};

// A table keyed by two symbols. Never walked: its order is of addresses.
struct SymbolPairHash {
  std::size_t operator()(const std::pair<Symbol, Symbol>& key) const {
    return key.first.Hash() * 0x9E3779B97F4A7C15U ^ key.second.Hash();
  }
};
template <class Value>
using SymbolPairs = std::unordered_map<std::pair<Symbol, Symbol>, Value, SymbolPairHash>;

}  // namespace plimsoll
