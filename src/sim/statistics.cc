#include "sim/statistics.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace plimsoll {
namespace {

// The x in [low, high] where the rising function reaches `target`.
template <class Function>
double Solve(const Function& rising, double target, double low, double high) {
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (rising(middle) < target ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

// The continued fraction of I_x(a, b) for x <= (a + 1) / (a + b + 2), where it converges fast.
double BetaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEnough = 1e-15;
  const auto not_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m <= 100'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / not_zero(1 + even * d);
    c = not_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / not_zero(1 + odd * d);
    c = not_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < kEnough) break;
  }
  return fraction;
}

// P(at most k hits of n) at a share p each. REQUIRES: k >= 0
double BinomialAtMost(double k, double n, double p) {
  return k >= n ? 1 : IncompleteBeta(n - k, k + 1, 1 - p);
}

}  // namespace

void Moments::Add(double value) {
  ++count_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
}

void Moments::Merge(const Moments& other) {
  if (other.count_ == 0) return;
  const auto mine = static_cast<double>(count_), theirs = static_cast<double>(other.count_);
  const double distance = other.mean_ - mean_;
  count_ += other.count_;
  mean_ += distance * theirs / (mine + theirs);
  squares_ += other.squares_ + distance * distance * mine * theirs / (mine + theirs);
}

double Moments::variance() const {
  return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1);
}

double IncompleteBeta(double a, double b, double x) {
  PLIMSOLL_CHECK(a > 0 && b > 0 && x >= 0 && x <= 1);
  if (x == 0 || x == 1) return x;
  const double log_front =
      std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  const double front = std::exp(log_front);
  if (x <= (a + 1) / (a + b + 2)) return front * BetaFraction(a, b, x) / a;
  return 1 - front * BetaFraction(b, a, 1 - x) / b;
}

double StudentQuantile(double p, double degrees) {
  PLIMSOLL_CHECK(p > 0 && p < 1 && degrees > 0);
  if (p == 0.5) return 0;
  if (p < 0.5) return -StudentQuantile(1 - p, degrees);
  // P(T <= t) = 1 - I_x(n/2, 1/2) / 2 with x = n / (n + t^2).
  const auto below = [&](double t) {
    return 1 - IncompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2;
  };
  double high = 1;
  while (below(high) < p && high < 1e12) high *= 2;
  return Solve(below, p, 0, high);
}

std::optional<Interval> MeanInterval(const Moments& moments, double confidence) {
  if (moments.count() < 2) return std::nullopt;
  const auto n = static_cast<double>(moments.count());
  const double half =
      StudentQuantile(0.5 + confidence / 2, n - 1) * std::sqrt(moments.variance() / n);
  return Interval{moments.mean() - half, moments.mean() + half};
}

Interval ShareInterval(std::int64_t hits, std::int64_t count, double confidence) {
  return EffectiveShareInterval(static_cast<double>(hits), static_cast<double>(count), confidence);
}

Interval EffectiveShareInterval(double hits, double count, double confidence) {
  PLIMSOLL_CHECK(count > 0 && hits >= 0 && hits <= count);
  const double k = hits, n = count;
  const double tail = (1 - confidence) / 2;
  Interval interval{0, 1};
  if (hits > 0) {
    interval.low = Solve([&](double x) { return IncompleteBeta(k, n - k + 1, x); }, tail, 0, 1);
  }
  if (hits < count) {
    interval.high =
        Solve([&](double x) { return IncompleteBeta(k + 1, n - k, x); }, 1 - tail, 0, 1);
  }
  return interval;
}

std::size_t QuantileRank(std::size_t count, double p) {
  PLIMSOLL_CHECK(count > 0 && p > 0 && p <= 1);
  // 0.9 is a little more than nine tenths: a product that is whole but for that is whole.
  const double rank = std::ceil(p * static_cast<double>(count) - 1e-9);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(rank, 1.0)), 1, count) - 1;
}

std::optional<RankInterval> QuantileRanks(std::size_t count, double p, double confidence) {
  PLIMSOLL_CHECK(p > 0 && p < 1);
  const auto n = static_cast<double>(count);
  const double tail = (1 - confidence) / 2;
  // Of how many values the quantile is above, X is binomial: value l (from 1) is at most the
  // quantile unless X < l, value u at least unless X >= u.
  const auto first_at_least = [&](double probability) {
    std::size_t low = 0, high = count;  // the least k with P(X <= k) >= probability
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (BinomialAtMost(static_cast<double>(middle), n, p) >= probability) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  };
  // The greatest l with P(X <= l - 1) <= tail; the least u with P(X <= u - 1) >= 1 - tail.
  std::size_t low = first_at_least(tail);
  if (BinomialAtMost(static_cast<double>(low), n, p) <= tail) ++low;
  const std::size_t high = first_at_least(1 - tail) + 1;
  if (low == 0 || high > count) return std::nullopt;
  return RankInterval{low - 1, high - 1};
}

}  // namespace plimsoll
