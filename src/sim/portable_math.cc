#include "sim/portable_math.h"

#include <cmath>
#include <iterator>
#include <limits>

#include "base/check.h"

namespace plimsoll::portable {
namespace {

// ln 2 in two parts: the first has 21 trailing zero bits, so that k times it is exact.
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;

// Coefficients of the series of artanh s / s beyond 1, in s^2, and of (e^r - 1) / r: the highest
// power first.
constexpr double kArtanh[] = {1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                              1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3};
constexpr double kExponential[] = {1.0 / 87178291200, 1.0 / 6227020800,
                                   1.0 / 479001600,   1.0 / 39916800,
                                   1.0 / 3628800,     1.0 / 362880,
                                   1.0 / 40320,       1.0 / 5040,
                                   1.0 / 720,         1.0 / 120,
                                   1.0 / 24,          1.0 / 6,
                                   1.0 / 2,           1.0};

}  // namespace

double Log(double x) {
  PLIMSOLL_CHECK(x > 0 && x <= std::numeric_limits<double>::max());
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // in [0.5, 1), exact
  if (mantissa < 0.70710678118654752440) {
    mantissa *= 2;
    --exponent;
  }
  // log m = 2 artanh s with s = (m - 1) / (m + 1), |s| <= 0.172: eleven terms of its series.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  double series = 0;
  for (const double coefficient : kArtanh) series = square * (series + coefficient);
  const double k = exponent;
  return k * kLn2High + (2 * s + (2 * s * series + k * kLn2Low));
}

double Exp(double x) {
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double k = std::floor(x * 1.44269504088896340736 + 0.5);
  const double rest = (x - k * kLn2High) - k * kLn2Low;  // |rest| <= 0.347
  double series = kExponential[0];
  for (std::size_t i = 1; i < std::size(kExponential); ++i)
    series = series * rest + kExponential[i];
  return std::ldexp(1 + rest * series, static_cast<int>(k));
}

double Power(double x, double y) {
  PLIMSOLL_CHECK(x >= 0 && y > 0);
  if (x == 0) return 0;
  return y == 1 ? x : Exp(y * Log(x));
}

}  // namespace plimsoll::portable
