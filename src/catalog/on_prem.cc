#include "catalog/on_prem.h"

#include <initializer_list>
#include <optional>
#include <string>

namespace plimsoll {
namespace {

constexpr std::int64_t kMonthsMax = 600;
constexpr int128 kAmountNanosMax = int128{1'000'000'000} * Money::kNanosPerUnit;

// The product, or null past 127 bits.
std::optional<int128> Product(std::initializer_list<int128> factors) {
  int128 product = 1;
  for (const int128 factor : factors) {
    if (__builtin_mul_overflow(product, factor, &product)) return std::nullopt;
  }
  return product;
}

Error Invalid(const char* message) { return {ErrorCode::kInvalidArgument, message}; }

Status Validate(const OnPremNode& node) {
  const Money zero;
  if (node.amortization_months < 1 || node.amortization_months > kMonthsMax) {
    return Invalid("amortization_months must be 1 to 600");
  }
  if (node.pue_milli < 1'000) return Invalid("pue must be 1 or more");
  if (node.capex < zero || node.residual < zero) {
    return Invalid("capex and residual must not be negative");
  }
  if (node.residual > node.capex) return Invalid("residual must not exceed capex");
  if (node.price_per_kwh < zero || node.hosting_per_month < zero || node.power_watts < 0 ||
      node.support_ppm < 0) {
    return Invalid("power, its price, hosting and support must not be negative");
  }
  return Ok();
}

}  // namespace

Result<BlockPrice> OnPremPrice(const OnPremNode& node) {
  PLIMSOLL_RETURN_IF_ERROR(Validate(node));
  const int128 months = node.amortization_months;
  // Support is in 1 / (10^6 x 12), energy in 1 / 10^6 (watts and PUE are in thousandths).
  constexpr int128 kDenominator = 12'000'000;
  const auto hosting = Product({node.hosting_per_month.nanos(), months});
  const auto support = Product({node.capex.nanos(), node.support_ppm, months});
  const auto energy = Product({node.price_per_kwh.nanos(), node.power_watts, node.pue_milli,
                               kHoursPerMonth, months, int128{12}});
  int128 variable = 0;
  int128 total = 0;
  const bool fits =
      hosting && support && energy && !__builtin_add_overflow(*support, *energy, &variable) &&
      !__builtin_add_overflow((node.capex - node.residual).nanos(), *hosting, &total) &&
      !__builtin_add_overflow(total, DivideHalfEven(variable, kDenominator), &total) &&
      total < kAmountNanosMax;
  if (!fits) {
    return Error{ErrorCode::kOutOfRange,
                 "the cost over the amortization period must be below 10^9; give fewer months or "
                 "price a part of the node"};
  }
  return BlockPrice{Money::FromNanos(total), node.amortization_months * kSecondsPerMonth};
}

}  // namespace plimsoll
