#include "units/money.h"

#include <algorithm>
#include <ostream>

#include "base/check.h"

namespace plimsoll {
namespace {

int128 DivideRounded(int128 numerator, int128 denominator, Rounding rounding) {
  PLIMSOLL_CHECK(denominator > 0);
  int128 quotient = numerator / denominator;  // truncates toward zero
  const int128 remainder = numerator % denominator;
  if (rounding == Rounding::kDown || remainder == 0) return quotient;

  const int128 twice = 2 * (remainder < 0 ? -remainder : remainder);
  const bool is_odd = quotient % 2 != 0;
  if (twice > denominator || (twice == denominator && is_odd)) {
    quotient += numerator < 0 ? -1 : 1;
  }
  return quotient;
}

}  // namespace

int128 DivideHalfEven(int128 numerator, int128 denominator) {
  return DivideRounded(numerator, denominator, Rounding::kHalfEven);
}

void PrintTo(Money money, std::ostream* out) { *out << money.ToString(); }

template <class Unit>
Result<Money> CostOf(Unit consumed, UnitPrice<Unit> price, Rounding rounding) {
  int128 product = 0;
  if (__builtin_mul_overflow(price.amount.nanos(), int128{consumed.base()}, &product)) {
    return Error{ErrorCode::kOutOfRange, "cost exceeds 38 digits"};
  }
  return Money::FromNanos(DivideRounded(product, price.per.base(), rounding));
}
template Result<Money> CostOf(GpuHours, UnitPrice<GpuHours>, Rounding);
template Result<Money> CostOf(Tokens, UnitPrice<Tokens>, Rounding);

Result<Money> Money::Parse(std::string_view text) {
  const auto bad = [&](const char* why) {
    return Error{ErrorCode::kInvalidArgument, "money '" + std::string(text) + "': " + why};
  };
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative ? text.substr(1) : text;
  int128 nanos = 0;
  int decimals = -1;  // -1 until the point is seen
  int digit_count = 0;
  for (const char c : digits) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
    } else if (c >= '0' && c <= '9') {
      if (decimals >= 0 && ++decimals > kScale) return bad("more than 9 decimals");
      if (++digit_count > 27) return bad("more than 27 digits");
      nanos = nanos * 10 + (c - '0');
    } else {
      return bad("not a decimal number");
    }
  }
  if (digit_count == 0) return bad("no digits");
  for (int i = std::max(decimals, 0); i < kScale; ++i) nanos *= 10;
  return Money(negative ? -nanos : nanos);
}

std::string Money::ToString() const {
  std::string out;
  int128 rest = nanos_ < 0 ? -nanos_ : nanos_;
  for (int i = 0; rest != 0 || i <= kScale; ++i, rest /= 10) {
    if (i == kScale) out.push_back('.');
    out.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  if (nanos_ < 0) out.push_back('-');
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace plimsoll
