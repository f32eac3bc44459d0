#include "store/utf8.h"

#include <cstdint>
#include <cstring>

namespace plimsoll {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

std::uint8_t At(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
}
bool IsTail(std::uint8_t byte) { return (byte & 0xC0U) == 0x80U; }

std::uint64_t WordAt(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

bool IsAscii(std::string_view text) {
  constexpr std::size_t kWord = sizeof(kHighBits);
  std::uint64_t seen = 0;
  if (text.size() < kWord) {
    for (const char byte : text) seen |= static_cast<std::uint8_t>(byte);
    return seen < 0x80U;
  }
  for (std::size_t i = 0; i + kWord <= text.size(); i += kWord) seen |= WordAt(text.data() + i);
  seen |= WordAt(text.data() + text.size() - kWord);  // the rest, with some bytes seen twice
  return (seen & kHighBits) == 0;
}

// Length of the well-formed character at the front of `text`; 0 if there is none.
std::size_t CharacterLength(std::string_view text) {
  const std::uint8_t lead = At(text, 0);
  const std::uint8_t second = At(text, 1);
  if (lead < 0x80U) return 1;
  if (lead < 0xC2U || lead > 0xF4U || !IsTail(second)) return 0;
  if (lead < 0xE0U) return 2;
  if (!IsTail(At(text, 2))) return 0;
  if (lead < 0xF0U) {
    const bool overlong = lead == 0xE0U && second < 0xA0U;
    const bool surrogate = lead == 0xEDU && second > 0x9FU;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = lead == 0xF0U && second < 0x90U;
  const bool too_large = lead == 0xF4U && second > 0x8FU;
  return overlong || too_large || !IsTail(At(text, 3)) ? 0 : 4;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  if (IsAscii(text)) return true;
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string ToUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace plimsoll
