#include "purchase/commit/fixed_point.h"

#include "base/check.h"

namespace plimsoll {
namespace {

int128 PowerOf(int128 base, std::int64_t exponent) {
  int128 power = kFixedOne;
  for (std::int64_t i = 0; i < exponent; ++i) power = MultiplyFixed(power, base);
  return power;
}

// The greatest x with x ^ 12 <= value.
int128 TwelfthRoot(int128 value) {
  int128 low = 0, high = 2 * kFixedOne;
  while (high - low > 1) {
    const int128 middle = low + (high - low) / 2;
    (PowerOf(middle, 12) <= value ? low : high) = middle;
  }
  return low;
}

}  // namespace

int128 MultiplyFixed(int128 a, int128 b) { return a * b / kFixedOne; }

int128 GrowthAfter(std::int64_t rate_billionths, std::int64_t months) {
  PLIMSOLL_CHECK(rate_billionths > -1'000'000'000 && rate_billionths <= 1'000'000'000);
  PLIMSOLL_CHECK(months >= 0 && months <= 60);
  const int128 a_year = kFixedOne + int128{rate_billionths} * 1'000'000'000;
  const int128 years = PowerOf(a_year, months / 12);
  return months % 12 == 0 ? years : MultiplyFixed(years, PowerOf(TwelfthRoot(a_year), months % 12));
}

}  // namespace plimsoll
