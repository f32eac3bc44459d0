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

double DrawGamma(RandomStream& random, double shape, double scale) {
  PLIMSOLL_CHECK(shape > 0 && scale > 0);
  // Below 1 a draw of shape + 1 is made smaller by a power of a uniform one.
  const double boost = shape < 1 ? portable::Power(random.UniformPositive(), 1 / shape) : 1;
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = DrawNormal(random, 0, 1);
    const double cube = 1 + c * x;
    if (cube <= 0) continue;
    const double v = cube * cube * cube;
    if (portable::Log(random.UniformPositive()) < x * x / 2 + d * (1 - v + portable::Log(v))) {
      return d * v * boost * scale;
    }
  }
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
