// WaitQuantile: a percentile of waits over replications, with an interval.
//
// The estimate is the percentile of all jobs together. The interval is Woodruff's (1952): how
// sure the share p is at the estimate, by replication (share_estimate.h), turned into the waits at
// both ends of it - order statistics of as many jobs as the correlated ones are worth.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "capacity/sizing/wait_tally.h"
#include "units/time.h"

namespace plimsoll {

struct WaitQuantile {
  std::optional<Duration> estimate;  // null: among jobs that never started, or there are no jobs
  std::optional<Duration> low;       // null: nothing known
  std::optional<Duration> high;      // null: too few jobs to say, or never started
  double effective = 0;              // independent jobs that the jobs are worth
  std::int64_t jobs = 0;
};

// REQUIRES: 0 < p < 1
WaitQuantile EstimateWaitQuantile(std::span<const WaitTally> replications, double p,
                                  double confidence);

}  // namespace plimsoll
