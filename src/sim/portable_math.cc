#include "sim/portable_math.h"

#include <cmath>
#include <limits>

#include "base/check.h"

namespace plimsoll::portable {
namespace {

// ln 2 in two parts: the first has 21 trailing zero bits, so that k times it is exact.
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;

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
  for (int term = 11; term >= 1; --term) series = square * (series + 1.0 / (2 * term + 1));
  const double k = exponent;
  return k * kLn2High + (2 * s + (2 * s * series + k * kLn2Low));
}

double Exp(double x) {
  if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double k = std::floor(x * 1.44269504088896340736 + 0.5);
  const double rest = (x - k * kLn2High) - k * kLn2Low;  // |rest| <= 0.347
  double series = 1;
  for (int term = 14; term >= 1; --term) series = 1 + rest * series / term;
  return std::ldexp(series, static_cast<int>(k));
}

double Power(double x, double y) {
  PLIMSOLL_CHECK(x >= 0 && y > 0);
  if (x == 0) return 0;
  return y == 1 ? x : Exp(y * Log(x));
}

}  // namespace plimsoll::portable
