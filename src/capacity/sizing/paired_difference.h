// PairedDifference: what a change does, replication by replication under the same random numbers.
//
// What the two runs of a replication have in common cancels, so the interval of the mean
// difference (Student's) is far narrower than those of both means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/statistics.h"

namespace plimsoll {

struct PairedDifference {
  double before = 0, after = 0;  // means
  double difference = 0;         // after - before
  std::optional<Interval> interval;
  std::int64_t replications = 0;  // in which both have a value
  std::int64_t left_out = 0;      // in which one has none

  // Whether the change is more than chance at the confidence asked for.
  bool differs() const { return interval && (interval->low > 0 || interval->high < 0); }
};

// REQUIRES: as many values before as after
PairedDifference EstimateDifference(std::span<const std::optional<double>> before,
                                    std::span<const std::optional<double>> after,
                                    double confidence);

}  // namespace plimsoll
