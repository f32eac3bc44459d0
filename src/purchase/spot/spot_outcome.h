// SpotOutcome: many runs of one policy as a distribution of time and cost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "purchase/spot/spot_cost.h"
#include "purchase/spot/spot_run.h"
#include "sim/replications.h"

namespace plimsoll {

// A quantile with the interval that holds the true one (order statistics); null if there are too
// few runs to have one.
template <class Value>
struct SpotQuantile {
  Value value;
  std::optional<Value> low, high;
};

// A share in parts per billion, with its exact interval.
struct SpotShare {
  std::int64_t ppb = 0, low_ppb = 0, high_ppb = 0;
};

struct SpotOutcome {
  SpotPolicy policy = SpotPolicy::kSpotOnly;
  std::int64_t runs = 0;
  std::int64_t unfinished = 0;                        // given up: then all means are lower bounds
  Duration mean_time, mean_time_low, mean_time_high;  // Student's t
  SpotQuantile<Duration> time_p50, time_p90, time_p99;
  std::array<Duration, kSpotTimes> time_by_cause{};  // means
  std::int64_t evictions_per_billion_runs = 0;
  SpotCost mean_cost;  // lines of the mean add up to the mean
  SpotQuantile<Money> cost_p50, cost_p90, cost_p99;
  std::optional<SpotShare> on_time;  // null without a deadline
  Fingerprint fingerprint;
};

struct SpotSampling {
  std::uint64_t seed = 1;
  std::int64_t replications = 10'000;
  unsigned threads = 0;      // changes no bit of the outcome
  double confidence = 0.99;  // of each interval
};

// REQUIRES: CheckPrices(prices), replications > 0
SpotOutcome SampleSpotRuns(const SpotRunModel& model, const SpotPrices& prices, SpotPolicy policy,
                           const SpotSampling& sampling);

}  // namespace plimsoll
