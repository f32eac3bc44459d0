#include "sim/distributions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/check.h"
#include "sim/portable_math.h"

namespace plimsoll {

double DrawExponential(RandomStream& random, double mean) {
  PLIMSOLL_CHECK(mean > 0);
  return -mean * portable::Log(random.UniformPositive());
}

Duration DrawExponentialTime(RandomStream& random, Duration mean) {
  constexpr double kLongest = 4e15;  // a hundred thousand years
  const double ms = DrawExponential(random, static_cast<double>(mean.base()));
  return Millis(std::max<std::int64_t>(std::llround(std::min(ms, kLongest)), 1));
}

double DrawWeibull(RandomStream& random, double shape, double scale) {
  PLIMSOLL_CHECK(shape > 0 && scale > 0);
  return scale * portable::Power(-portable::Log(random.UniformPositive()), 1 / shape);
}

double DrawNormal(RandomStream& random, double mean, double deviation) {
  PLIMSOLL_CHECK(deviation >= 0);
  for (;;) {
    const double x = 2 * random.Uniform() - 1, y = 2 * random.Uniform() - 1;
    const double square = x * x + y * y;
    if (square >= 1 || square == 0) continue;
    return mean + deviation * (x * std::sqrt(-2 * portable::Log(square) / square));
  }
}

double DrawLognormal(RandomStream& random, double mu, double sigma) {
  return portable::Exp(DrawNormal(random, mu, sigma));
}

EmpiricalDistribution::EmpiricalDistribution(std::vector<double> values)
    : values_(std::move(values)) {
  PLIMSOLL_CHECK(!values_.empty());
  std::sort(values_.begin(), values_.end());
  double sum = 0;
  for (const double value : values_) sum += value;
  mean_ = sum / static_cast<double>(values_.size());
}

}  // namespace plimsoll
