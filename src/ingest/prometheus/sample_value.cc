#include "ingest/prometheus/sample_value.h"

#include <algorithm>

#include "units/money.h"

namespace plimsoll {
namespace {

constexpr int kMantissaDigits = 36;  // 10^36 fits in int128

struct Decimal {
  bool negative = false;
  int128 mantissa = 0;
  bool rest = false;  // digits that are not zero follow the mantissa
  std::int64_t exponent = 0;
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads digits from `text`; `digits` counts significant ones. Returns how many were read.
std::size_t ReadDigits(std::string_view text, bool fraction, int& digits, Decimal& out) {
  std::size_t i = 0;
  for (; i < text.size() && IsDigit(text[i]); ++i) {
    const int digit = text[i] - '0';
    if (digits < kMantissaDigits) {
      out.mantissa = out.mantissa * 10 + digit;
      if (out.mantissa != 0) ++digits;
      if (fraction) --out.exponent;
    } else {
      out.rest |= digit != 0;
      if (!fraction) ++out.exponent;
    }
  }
  return i;
}

bool ReadExponent(std::string_view text, std::int64_t& exponent) {
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return false;
  std::int64_t value = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return false;
    value = std::min<std::int64_t>(value * 10 + (c - '0'), 1'000'000);
  }
  exponent += negative ? -value : value;
  return true;
}

std::optional<Decimal> ReadDecimal(std::string_view text) {
  Decimal decimal;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    decimal.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int digits = 0;
  std::size_t read = ReadDigits(text, false, digits, decimal);
  std::size_t count = read;
  if (read < text.size() && text[read] == '.') {
    const std::size_t fraction = ReadDigits(text.substr(read + 1), true, digits, decimal);
    read += 1 + fraction;
    count += fraction;
  }
  if (count == 0) return std::nullopt;
  if (read == text.size()) return decimal;
  if (text[read] != 'e' && text[read] != 'E') return std::nullopt;
  if (!ReadExponent(text.substr(read + 1), decimal.exponent)) return std::nullopt;
  return decimal;
}

int128 DropDigits(int128 mantissa, std::int64_t count, bool rest) {
  if (count > kMantissaDigits + 1) return 0;
  int128 power = 1;
  for (std::int64_t i = 0; i < count; ++i) power *= 10;
  const int128 floor = mantissa / power;
  const int128 left = mantissa % power;
  const int128 half = power / 2;  // power is even: count > 0
  const bool up = left > half || (left == half && (rest || floor % 2 != 0));
  return floor + (up ? 1 : 0);
}

bool EqualNoCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

}  // namespace

std::optional<std::int64_t> ParseScaled(std::string_view text, int scale) {
  const std::optional<Decimal> decimal = ReadDecimal(text);
  if (!decimal) return std::nullopt;
  const std::int64_t limit = decimal->negative ? INT64_MIN : INT64_MAX;
  int128 value = decimal->mantissa;
  std::int64_t exponent = decimal->exponent + scale;
  if (exponent < 0) {
    value = DropDigits(value, -exponent, decimal->rest);
  }
  for (; value != 0 && exponent > 0; --exponent) {
    value *= 10;
    if (value > INT64_MAX) return limit;
  }
  if (value > INT64_MAX) return limit;
  const auto magnitude = static_cast<std::int64_t>(value);
  return decimal->negative ? -magnitude : magnitude;
}

bool IsNotANumber(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return EqualNoCase(text, "nan") || EqualNoCase(text, "inf") || EqualNoCase(text, "infinity");
}

bool IsSampleValue(std::string_view text) {
  return ReadDecimal(text).has_value() || IsNotANumber(text);
}

}  // namespace plimsoll
