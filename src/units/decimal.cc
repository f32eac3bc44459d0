#include "units/decimal.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr int kIntegerDigitsMax = 27;

constexpr auto kPowersOfTen = [] {
  std::array<int128, 32> powers{};
  int128 power = 1;
  for (int128& each : powers) {
    each = power;
    power *= 10;
  }
  return powers;
}();
constexpr int128 PowerOfTen(int exponent) {
  return kPowersOfTen[static_cast<std::size_t>(exponent)];
}
constexpr int128 kRestBase = PowerOfTen(ExactDecimal::kRestDigits);

struct Scanned {
  bool negative = false;
  std::string digits;  // integer and fraction digits, without the point
  int exponent = 0;    // value = 0.digits-as-integer * 10^exponent
};

Result<int> ParseExponent(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 4) {
    return Error{ErrorCode::kBadData, "exponent is missing or out of range"};
  }
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return Error{ErrorCode::kBadData, "exponent is not a number"};
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

Result<Scanned> Scan(std::string_view text) {
  Scanned out;
  out.negative = text.starts_with('-');
  if (out.negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    PLIMSOLL_TRY(out.exponent, ParseExponent(text.substr(e + 1)));
    text = text.substr(0, e);
  }
  bool seen_point = false;
  for (const char c : text) {
    if (c == '.' && !seen_point) {
      seen_point = true;
    } else if (c >= '0' && c <= '9') {
      out.digits.push_back(c);
      if (seen_point) --out.exponent;
    } else {
      return Error{ErrorCode::kBadData, "not a decimal number"};
    }
  }
  if (out.digits.empty()) return Error{ErrorCode::kBadData, "no digits"};
  return out;
}

// Drops zeros that carry no value, so that "0.000" and "1.50" have their least scale.
void Normalize(Scanned& number) {
  const std::size_t first = number.digits.find_first_not_of('0');
  number.digits.erase(0, std::min(first, number.digits.size()));
  while (!number.digits.empty() && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  if (number.digits.empty()) number.exponent = 0;
}

// What nearly every cost is: at most 18 digits and no exponent. 64 bits hold it, which reads
// several times as fast as the general way; bills have hundreds of millions of costs.
constexpr int kShortDigitsMax = 18;
struct ShortDecimal {
  bool negative = false;
  std::int64_t digits = 0;
  int decimals = 0;
};

bool ScanShort(std::string_view text, ShortDecimal& out) {
  out.negative = text.starts_with('-');
  if (out.negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::size_t digits = text.size() - (point == std::string_view::npos ? 0 : 1);
  if (digits == 0 || digits > kShortDigitsMax) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == point) continue;
    if (text[i] < '0' || text[i] > '9') return false;
    out.digits = out.digits * 10 + (text[i] - '0');
  }
  if (point != std::string_view::npos) out.decimals = static_cast<int>(text.size() - point) - 1;
  return true;
}

}  // namespace

Result<ExactDecimal> ExactDecimal::Parse(std::string_view text) {
  const auto bad = [&](const std::string& why) {
    return Error{ErrorCode::kBadData, "'" + std::string(text.substr(0, 80)) + "': " + why};
  };
  if (ShortDecimal found; ScanShort(text, found)) {
    const int below_nano = std::max(found.decimals - Money::kScale, 0);
    const auto unit = static_cast<std::int64_t>(PowerOfTen(below_nano));
    ExactDecimal value;
    value.floor_ = Money::FromNanos(found.digits / unit *
                                    PowerOfTen(std::max(Money::kScale - found.decimals, 0)));
    value.rest_ = found.digits % unit * PowerOfTen(kRestDigits - below_nano);
    return found.negative ? -value : value;
  }
  Result<Scanned> scanned = Scan(text);
  if (!scanned) return bad(scanned.error().message);
  Scanned number = *std::move(scanned);
  Normalize(number);
  if (-number.exponent > kScale) return bad("more than 40 decimals");
  const int integer_digits = static_cast<int>(number.digits.size()) + number.exponent;
  if (integer_digits > kIntegerDigitsMax) return bad("more than 27 integer digits");

  // Position p counts decimals: digit i stands at 10^(integer_digits - 1 - i).
  int128 nanos = 0;
  int128 rest = 0;
  const int last = std::max(integer_digits + kScale, 0);
  for (int i = std::min(integer_digits, 0); i < last; ++i) {
    const auto index = static_cast<std::size_t>(i);
    const int digit = i >= 0 && index < number.digits.size() ? number.digits[index] - '0' : 0;
    int128& target = i < integer_digits + Money::kScale ? nanos : rest;
    target = target * 10 + digit;
  }
  ExactDecimal value;
  value.floor_ = Money::FromNanos(nanos);
  value.rest_ = rest;
  return number.negative ? -value : value;
}

ExactDecimal ExactDecimal::FromMoney(Money money) {
  ExactDecimal value;
  value.floor_ = money;
  return value;
}

Money ExactDecimal::RoundHalfEven() const {
  const int128 twice = 2 * rest_;
  const bool is_odd = floor_.nanos() % 2 != 0;
  const bool up = twice > kRestBase || (twice == kRestBase && is_odd);
  return up ? floor_ + Money::FromNanos(1) : floor_;
}

std::string ExactDecimal::ToString() const {
  if (floor_ < Money()) {
    const std::string magnitude = (-*this).ToString();
    return magnitude == "0" ? magnitude : "-" + magnitude;
  }
  std::string text = floor_.ToString();
  std::string rest(kRestDigits, '0');
  int128 left = rest_;
  for (std::size_t i = rest.size(); i > 0; --i, left /= 10) {
    rest[i - 1] = static_cast<char>('0' + static_cast<int>(left % 10));
  }
  text += rest;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

ExactDecimal& ExactDecimal::operator+=(const ExactDecimal& other) {
  floor_ += other.floor_;
  rest_ += other.rest_;
  if (rest_ >= kRestBase) {
    rest_ -= kRestBase;
    floor_ += Money::FromNanos(1);
  }
  PLIMSOLL_CHECK(rest_ >= 0 && rest_ < kRestBase);
  return *this;
}

ExactDecimal ExactDecimal::operator-() const {
  ExactDecimal out;
  out.floor_ = -floor_;
  if (rest_ != 0) {
    out.floor_ -= Money::FromNanos(1);
    out.rest_ = kRestBase - rest_;
  }
  return out;
}

}  // namespace plimsoll
