// SpotCost: what one run cost, as the price of its work and what came on top, line by line.
//
// Prices are of one node (with all its GPUs) for an hour. Each line is rounded once, half to
// even; the cost of a run is the sum of its lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "base/result.h"
#include "purchase/spot/spot_run.h"
#include "units/money.h"

namespace plimsoll {

struct SpotPrices {
  Money on_demand, spot;        // of one node for an hour, above 0
  std::int64_t storage_mb = 0;  // of checkpoints kept while the run lasts; 1 GB is 1,000 MB
  Money storage;                // of one GB for a month of 730 hours
  std::int64_t traffic_mb = 0;  // moved at each restart
  Money traffic;                // of one GB
  Money people;                 // once, for a run on spot
  Money people_per_eviction;
  Money penalty;           // once, if the deadline is missed
  Money penalty_per_hour;  // of being late
  Money delay_per_hour;    // what the end of the run is worth, an hour sooner; in no line
};

// What a run costs beyond its work at the spot price.
enum class SpotLine : unsigned char {
  kRecomputation,
  kRestarts,
  kCheckpoints,
  kWaiting,   // nodes of a gang held while others are waited for
  kOnDemand,  // what work done on demand costs more than on spot
  kStorage,
  kTraffic,
  kOperations,
  kDeadlinePenalty,
};
inline constexpr std::size_t kSpotLines = 9;
inline constexpr const char* kSpotLineNames[kSpotLines] = {
    "recomputation", "restarts", "checkpoints", "waiting",         "on_demand",
    "storage",       "traffic",  "operations",  "deadline_penalty"};

struct SpotCost {
  Money work;  // at the spot price, wherever it was done
  std::array<Money, kSpotLines> lines{};

  Money on_top() const { return std::accumulate(lines.begin(), lines.end(), Money()); }
  Money total() const { return work + on_top(); }
};

// Fails with kInvalidArgument: a price that is not above 0 (an unknown price is none), an
// amount below 0, more than 10^12 of anything.
Status CheckPrices(const SpotPrices& prices);

// REQUIRES: CheckPrices(prices)
SpotCost CostOfRun(const SpotRunModel& model, const SpotPrices& prices, SpotPolicy policy,
                   const SpotRunTimes& times);

}  // namespace plimsoll
