// Draws from distributions, the same bits on every machine (sim/portable_math.h).
//
// Parameters are in whatever unit the caller counts; an answer is in the same one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "sim/random.h"
#include "units/time.h"

namespace plimsoll {

// REQUIRES: mean > 0. One draw of the stream.
double DrawExponential(RandomStream& random, double mean);

// The same as a time, rounded to whole milliseconds, at least one. REQUIRES: mean > 0
Duration DrawExponentialTime(RandomStream& random, Duration mean);

// REQUIRES: shape, scale > 0. One draw of the stream.
double DrawWeibull(RandomStream& random, double shape, double scale);

// Marsaglia's polar method: two draws or more. REQUIRES: deviation >= 0
double DrawNormal(RandomStream& random, double mean, double deviation);

// exp of a normal draw: mu and sigma are those of the logarithm. REQUIRES: sigma >= 0
double DrawLognormal(RandomStream& random, double mu, double sigma);

// Mean shape x scale (Marsaglia and Tsang 2000): three draws or more. REQUIRES: shape, scale > 0
double DrawGamma(RandomStream& random, double shape, double scale);

// Measured values, each as likely as the others.
class EmpiricalDistribution {
 public:
  // REQUIRES: not empty
  explicit EmpiricalDistribution(std::vector<double> values);

  double Draw(RandomStream& random) const { return values_[random.Below(values_.size())]; }
  double mean() const { return mean_; }
  const std::vector<double>& sorted() const { return values_; }

 private:
  std::vector<double> values_;
  double mean_ = 0;
};

}  // namespace plimsoll
