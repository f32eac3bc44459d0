#include "ingest/kubernetes/kubernetes_quantity.h"

#include <charconv>
#include <optional>
#include <string>

#include "units/money.h"

namespace plimsoll {
namespace {

constexpr int kDigitsMax = 18;

struct Suffix {
  int ten = 0;  // power of ten
  int two = 0;  // power of two
};

std::optional<Suffix> ParseSuffix(std::string_view text) {
  static constexpr std::string_view kLarge = "kMGTPE";
  if (text.empty()) return Suffix{};
  if (text == "n") return Suffix{-9, 0};
  if (text == "u") return Suffix{-6, 0};
  if (text == "m") return Suffix{-3, 0};
  if (text.size() == 2 && text[1] == 'i') {
    const std::size_t at = text[0] == 'K' ? 0 : kLarge.find(text[0]);
    if (at == std::string_view::npos || text[0] == 'k') return std::nullopt;
    return Suffix{0, 10 * (static_cast<int>(at) + 1)};
  }
  if (text.size() == 1) {
    const std::size_t at = kLarge.find(text[0]);
    if (at == std::string_view::npos) return std::nullopt;
    return Suffix{3 * (static_cast<int>(at) + 1), 0};
  }
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (exponent < -18 || exponent > 18) return std::nullopt;
  return Suffix{exponent, 0};
}

bool Multiply(int128& value, int128 factor) {
  return !__builtin_mul_overflow(value, factor, &value);
}

}  // namespace

Result<std::int64_t> ParseKubernetesQuantity(std::string_view text, std::int64_t scale) {
  const Error bad{ErrorCode::kBadData, "'" + std::string(text.substr(0, 40)) +
                                           "' is not a quantity such as 16Gi or 500m"};
  std::string_view rest = text;
  if (rest.starts_with('+')) rest.remove_prefix(1);
  int128 value = 0;
  int decimals = 0;
  int digits = 0;
  bool point = false;
  for (; !rest.empty() && ((rest[0] >= '0' && rest[0] <= '9') || (rest[0] == '.' && !point));
       rest.remove_prefix(1)) {
    if (rest[0] == '.') {
      point = true;
      continue;
    }
    if (value != 0 && ++digits > kDigitsMax) return bad;
    value = value * 10 + (rest[0] - '0');
    if (point && ++decimals > kDigitsMax) return bad;
  }
  const bool has_digits =
      rest.size() < text.size() && text.find_first_of("0123456789") < text.size() - rest.size();
  const std::optional<Suffix> suffix = ParseSuffix(rest);
  if (!has_digits || !suffix) return bad;
  if (!Multiply(value, scale) || !Multiply(value, int128{1} << suffix->two)) return bad;
  int ten = suffix->ten - decimals;
  for (; ten > 0; --ten) {
    if (!Multiply(value, 10)) return bad;
  }
  int128 divisor = 1;
  for (; ten < 0; ++ten) {
    if (!Multiply(divisor, 10)) return bad;
  }
  value = (value + divisor - 1) / divisor;
  if (value > INT64_MAX) return bad;
  return static_cast<std::int64_t>(value);
}

}  // namespace plimsoll
