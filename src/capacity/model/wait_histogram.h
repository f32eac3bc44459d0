// WaitHistogram: waits that a system counted into buckets, and what they tell of a quantile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "units/time.h"

namespace plimsoll {

struct WaitBucket {
  std::optional<Duration> upper;  // null is no limit
  std::int64_t count = 0;         // of waits up to `upper`, those of lower buckets among them
};

struct WaitHistogram {
  std::string metric;  // "kueue_admission_wait_time_seconds"
  std::string queue;
  std::vector<WaitBucket> buckets;  // upper rising, the last without a limit; counts never fall
};

// A wait lies above `low` (from it on, if that is 0) and up to `high`.
struct WaitRange {
  Duration low;
  std::optional<Duration> high;  // null: beyond the last bucket
};

// Where the wait of nearest rank lies of which `per_mille` thousandths are as short or shorter
// (950 is the 95th percentile); null of no waits. REQUIRES: 0 < per_mille <= 1000
std::optional<WaitRange> QuantileRange(const WaitHistogram& histogram, std::int64_t per_mille);

}  // namespace plimsoll
