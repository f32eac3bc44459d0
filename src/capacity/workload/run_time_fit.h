// RunTimeFit: how long jobs of one class run, from those that ran, and how well a form fits.
//
// Measured times as they are, or a lognormal by the moments of their logarithms. Runs of GPU jobs
// have tails that no mean shows: the quality says how heavy they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/random.h"
#include "units/time.h"

namespace plimsoll {

enum class RunTimeModel : unsigned char { kEmpirical, kLognormal };

// Of the measured times; seconds where it is a time.
struct RunTimeQuality {
  std::int64_t count = 0;
  double mean_s = 0, median_s = 0, p95_s = 0;
  double cs2 = 0;  // variance over mean squared: 1 is exponential
  // Kolmogorov and Smirnov's distance of the lognormal from the times, 0 ... 1.
  double ks_lognormal = 0;
  // Hill's estimate over the largest twentieth (10 at least): below 2 the variance is not finite,
  // below 1 neither is the mean. Null of fewer than 40 times.
  std::optional<double> tail_index;
  double share_of_longest = 0;  // of all time, what the longest hundredth of the jobs take
};

class RunTimeFit {
 public:
  // REQUIRES: not empty, none below 0
  explicit RunTimeFit(std::span<const Duration> runs);

  const RunTimeQuality& quality() const { return quality_; }
  double mu() const { return mu_; }  // of the logarithm of seconds, at least 1 ms
  double sigma() const { return sigma_; }

  // One draw of the stream, of the lognormal two or more. A lognormal draw is at most ten times
  // the longest time that was seen: beyond that the form is all there is.
  Duration Draw(RunTimeModel model, RandomStream& random) const;

 private:
  std::vector<Duration> sorted_;
  double mu_ = 0, sigma_ = 0;
  RunTimeQuality quality_;
};

}  // namespace plimsoll
