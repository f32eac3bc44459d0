// WaitBound: an upper bound of a wait's quantile from waits that were seen, whatever their
// distribution (Brevik, Nurmi and Wolski 2006: the binomial method behind QBETS).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "units/time.h"

namespace plimsoll {

struct BoundOptions {
  double quantile = 0.95;    // of the next wait
  double confidence = 0.95;  // that the bound is not below it
};

// The fewest waits that have a bound: the least n with 1 - quantile^n >= confidence. 59 for 0.95
// at 95 %, 29 for 0.90. REQUIRES: 0 < quantile, confidence < 1
std::size_t WaitsNeeded(const BoundOptions& options);

// The least order statistic that is at or above the quantile with that confidence; null of fewer
// waits than needed.
std::optional<Duration> WaitUpperBound(std::span<const Duration> waits,
                                       const BoundOptions& options);

// Bounds of one class of jobs as its waits come in. After `kMissesInRow` waits above the bound
// one after another the past is taken to be over: only as many waits as are needed are kept.
class WaitPredictor {
 public:
  static constexpr int kMissesInRow = 3;

  explicit WaitPredictor(const BoundOptions& options) : options_(options) {}

  void Add(Duration wait);
  std::optional<Duration> Bound() const;  // of the next wait

  std::int64_t bounded() const { return bounded_; }  // waits for which there was a bound
  std::int64_t misses() const { return misses_; }    // of them, longer than it
  std::int64_t trims() const { return trims_; }

 private:
  BoundOptions options_;
  std::deque<Duration> waits_;
  int misses_in_row_ = 0;
  std::int64_t bounded_ = 0, misses_ = 0, trims_ = 0;
};

}  // namespace plimsoll
