// Statistics of replications: moments, and intervals that say how sure an answer is.
//
// Intervals are two-sided at `confidence`, 0 < confidence < 1. They use the C library's log and
// gamma functions, whose last bits may differ from one machine to another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace plimsoll {

// Count, mean and variance in one pass (Welford 1962), merged exactly as if in one (Chan,
// Golub and LeVeque 1979).
class Moments {
 public:
  void Add(double value);
  void Merge(const Moments& other);

  std::int64_t count() const { return count_; }
  double mean() const { return mean_; }
  double variance() const;  // unbiased; 0 of fewer than two

 private:
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // of distances from the mean
};

struct Interval {
  double low = 0;
  double high = 0;
};

// Student's: mean +- t x deviation / sqrt(n). Null of fewer than two values.
std::optional<Interval> MeanInterval(const Moments& moments, double confidence);

// Clopper and Pearson's exact interval of a share. REQUIRES: 0 <= hits <= count, count > 0
Interval ShareInterval(std::int64_t hits, std::int64_t count, double confidence);

// The same of trials that are worth fewer independent ones, which need not be a whole number
// (Korn and Graubard 1998). REQUIRES: 0 <= hits <= count, count > 0
Interval EffectiveShareInterval(double hits, double count, double confidence);

// The value of nearest rank, ceil(p n), of sorted values. REQUIRES: not empty, 0 < p <= 1
std::size_t QuantileRank(std::size_t count, double p);  // as an index, from 0

// The order statistics that hold the quantile p with at least that confidence whatever the
// distribution (binomial), as indexes from 0; null where n is too small to have both.
struct RankInterval {
  std::size_t low = 0;
  std::size_t high = 0;
};
std::optional<RankInterval> QuantileRanks(std::size_t count, double p, double confidence);

// The value that Student's t stays below with probability p. REQUIRES: 0 < p < 1, degrees > 0
double StudentQuantile(double p, double degrees);

// The regularized incomplete beta function I_x(a, b), by its continued fraction (Lentz).
// REQUIRES: a, b > 0, 0 <= x <= 1
double IncompleteBeta(double a, double b, double x);

}  // namespace plimsoll
