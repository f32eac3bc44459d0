#include "capacity/sizing/exact_figure.h"

#include <cmath>

namespace plimsoll {

std::optional<std::int64_t> Billionths(double ratio) {
  if (!(std::abs(ratio) <= 9e9)) return std::nullopt;
  return std::llround(ratio * 1e9);
}

std::optional<Duration> WholeMillis(double ms) {
  constexpr double kLongest = 10'000.0 * 366 * 86'400'000;
  if (!(std::abs(ms) <= kLongest)) return std::nullopt;
  return Millis(std::llround(ms));
}

}  // namespace plimsoll
