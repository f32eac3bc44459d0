#include "purchase/spot/eviction_rate.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kCountMax = 10'000'000;
constexpr double kTail = 0.025;
constexpr double kNegligible = 1e-18;  // of the largest term

// P(X <= count), X Poisson of that mean. Terms are added away from the largest one that counts.
double Cumulative(std::int64_t count, double mean) {
  const double n = static_cast<double>(count);
  const std::int64_t top = std::min(count, static_cast<std::int64_t>(mean));
  const double t = static_cast<double>(top);
  const double largest = std::exp(t * std::log(mean) - mean - std::lgamma(t + 1));
  double sum = 1, term = 1;
  for (double k = t; k > 0 && term > kNegligible; --k) sum += term *= k / mean;
  term = 1;
  for (double k = t + 1; k <= n && term > kNegligible; ++k) sum += term *= mean / k;
  return std::min(1.0, largest * sum);
}

// The mean at which P(X <= count) has fallen to `chance`.
double MeanAt(std::int64_t count, double chance) {
  const double n = static_cast<double>(count);
  double low = 0, high = n + 10 * std::sqrt(n + 1) + 10;
  for (int i = 0; i < 100; ++i) {
    const double middle = low + (high - low) / 2;
    (Cumulative(count, middle) > chance ? low : high) = middle;
  }
  return low;
}

std::int64_t Billionths(double mean, double hours) {
  return static_cast<std::int64_t>(std::llround(mean / hours * 1e9));
}

}  // namespace

PoissonInterval PoissonMeanInterval(std::int64_t count) {
  PLIMSOLL_CHECK(count >= 0 && count <= kCountMax);
  PoissonInterval interval;
  if (count > 0) interval.low = MeanAt(count - 1, 1 - kTail);
  interval.high = MeanAt(count, kTail);
  return interval;
}

std::optional<EvictionRate> EvictionRateOf(std::int64_t evictions, Duration instance_time) {
  if (instance_time <= Duration()) return std::nullopt;
  const double hours = static_cast<double>(instance_time.base()) / 3.6e6;
  const PoissonInterval mean = PoissonMeanInterval(evictions);
  return EvictionRate{Billionths(static_cast<double>(evictions), hours),
                      Billionths(mean.low, hours), Billionths(mean.high, hours)};
}

}  // namespace plimsoll
