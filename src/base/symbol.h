// Symbol: an immutable text of which the process keeps one copy.
//
// Eight bytes; copied and compared for equality as a pointer. For names that repeat over
// millions of rows (nodes, devices, signals), never for free text: a text once made a symbol
// stays for the life of the process. Making one hashes the text; safe from any thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace plimsoll {

class Symbol;

template <class T>
concept OtherText = !std::same_as<T, Symbol> && std::convertible_to<const T&, std::string_view>;

class Symbol {
 public:
  Symbol() : text_(&Empty()) {}
  template <OtherText T>
  Symbol(const T& text) : text_(Intern(text)) {}  // NOLINT: a column takes texts as they come

  const std::string& text() const { return *text_; }
  operator const std::string&() const { return *text_; }  // NOLINT: it is that text
  operator std::string_view() const { return *text_; }    // NOLINT
  bool empty() const { return text_->empty(); }
  // Of the address: good for tables, differs from run to run, so never for an order.
  std::size_t Hash() const { return std::hash<const std::string*>()(text_); }

  friend bool operator==(Symbol a, Symbol b) { return a.text_ == b.text_; }
  // By text, not by address: the same order in every run.
  friend std::strong_ordering operator<=>(Symbol a, Symbol b) {
    return a.text_ == b.text_ ? std::strong_ordering::equal : *a.text_ <=> *b.text_;
  }
  // Without making the other text a symbol.
  template <OtherText T>
  friend bool operator==(Symbol a, const T& b) {
    return *a.text_ == std::string_view(b);
  }

  template <OtherText T>
  friend std::string operator+(Symbol a, const T& b) {
    return *a.text_ + b;
  }
  template <OtherText T>
  friend std::string operator+(const T& a, Symbol b) {
    return a + *b.text_;
  }

 private:
  static const std::string& Empty();
  static const std::string* Intern(std::string_view text);

  const std::string* text_;
};

}  // namespace plimsoll
