#include "ingest/base64.h"

#include <cstdint>

namespace plimsoll {

Result<std::string> DecodeBase64(std::string_view text) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == ' ' || c == '\t') continue;
    const std::size_t value = kAlphabet.find(c);
    if (c == '=') {
      ++padding;
    } else if (value == std::string_view::npos || padding > 0) {
      return Error{ErrorCode::kBadData, "is not base64"};
    } else {
      bits = (bits << 6) | static_cast<std::uint32_t>(value);
      count += 6;
      if (count < 8) continue;
      count -= 8;
      bytes.push_back(static_cast<char>((bits >> count) & 0xFF));
    }
  }
  if (padding > 2 || count == 6) return Error{ErrorCode::kBadData, "is not base64"};
  return bytes;
}

}  // namespace plimsoll
