#include "cli/text.h"

#include <algorithm>
#include <cstdint>

namespace plimsoll {
namespace {

struct Rune {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The first character of `text`, which is not empty. Overlong forms, surrogates and codes
// past U+10FFFF are invalid, one byte long.
Rune FirstRune(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, bytes, true};
}

struct Range {
  std::uint32_t first, last;
};
// Of East Asian Width W and F, and emoji: the blocks that are wide as a whole.
constexpr Range kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},  {0x3041, 0xA4CF},
                           {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE6F},
                           {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                           {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
constexpr Range kZeroWidth[] = {
    {0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};

template <std::size_t n>
bool In(const Range (&ranges)[n], std::uint32_t code) {
  for (const Range& range : ranges) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

std::size_t WidthOf(const Rune& rune) {
  if (!rune.valid) return 1;
  if (In(kZeroWidth, rune.code)) return 0;
  return In(kWide, rune.code) ? 2 : 1;
}

// C0 and C1 controls, and the marks that turn the direction of text.
bool IsControl(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029;
}

}  // namespace

std::size_t WidthOf(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    width += WidthOf(rune);
    text.remove_prefix(rune.bytes);
  }
  return width;
}

std::string Printable(std::string_view text) {
  std::string printable;
  printable.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    if (!rune.valid || IsControl(rune.code)) {
      printable += '?';
    } else {
      printable += text.substr(0, rune.bytes);
    }
    text.remove_prefix(rune.bytes);
  }
  return printable;
}

std::string PrintableLines(std::string_view text) {
  std::string printable;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    printable += Printable(text.substr(from, end - from));
    if (end < text.size()) printable += '\n';
    from = end + 1;
  }
  return printable;
}

std::string Shorten(std::string_view text, std::size_t width) {
  if (WidthOf(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::size_t used = 0;
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Rune rune = FirstRune(text.substr(bytes));
    if (used + WidthOf(rune) > width - 1) break;
    used += WidthOf(rune);
    bytes += rune.bytes;
  }
  return std::string(text.substr(0, bytes)) + "…";
}

std::vector<std::string> WrapText(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    if (text.front() == '\n') {
      lines.emplace_back();
      text.remove_prefix(1);
      continue;
    }
    const std::size_t blank = text.find_first_not_of(' ');
    if (blank == std::string_view::npos) break;
    text.remove_prefix(blank);
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    if (!lines.back().empty() && WidthOf(lines.back()) + 1 + WidthOf(word) > width) {
      lines.emplace_back();
    }
    if (!lines.back().empty() && !word.empty()) lines.back() += ' ';
    lines.back() += word;
    text.remove_prefix(word.size());
  }
  return lines;
}

std::string GroupThousands(std::string_view number) {
  const std::size_t sign = number.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string grouped(number.substr(0, sign));
  for (std::size_t i = sign; i < point; ++i) {
    if (i > sign && (point - i) % 3 == 0) grouped += ',';
    grouped += number[i];
  }
  return grouped + std::string(number.substr(point));
}

}  // namespace plimsoll
