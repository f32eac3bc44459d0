// SpotLoad: load that comes in many instances (replicas, queue workers, notebooks) on spot, as the
// price of one useful instance-hour, and the rules for the hours in which there is no spot.
//
// Instances live on `lifetime.Mean()` on average, without memory. An eviction costs the restart
// and what of the item in work was not saved; items between checkpoints or whole ones follow
// SegmentTime (checkpoint_interval.h). While there is no capacity the load waits, which costs its
// value, or runs on demand. Amounts are exact once the slowdown is rounded to billionths.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "purchase/spot/lifetime.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

struct SpotLoadModel {
  Lifetime lifetime;  // of one instance
  Duration restart;   // from capacity until it is useful, model load too: not ready, but paid
  Duration wait;      // for capacity after an eviction
  Duration item;      // work that an eviction throws away when it is not saved; 0: none
  Duration save;      // to write a checkpoint of an item; 0: items have none
};

struct SpotLoadPrices {
  Money on_demand, spot;  // of an instance-hour
  bool may_wait = false;  // else load runs on demand while there is no spot
  Money waiting;          // value of an instance-hour that comes late
};

// Of one useful instance-hour. `spot` + all lines = total(), to the nano.
struct SpotLoadCost {
  Money spot;                     // at the spot price
  Money interruptions;            // restarts and work done again
  Money fallback;                 // what hours on demand cost more
  Money waiting;                  // value lost while it waits
  bool waits = false;             // in a shortage; else it runs on demand
  std::int64_t slowdown_ppb = 0;  // paid by useful time on spot, 1e9 and up
  std::int64_t short_ppb = 0;     // of time, there is no capacity
  Duration mtbf;

  Money total() const { return spot + interruptions + fallback + waiting; }
};

// Fails with kInvalidArgument where a price is not above 0 (an unknown price is none), or where
// evictions leave no useful time (slowdown above 1000).
Result<SpotLoadCost> PriceSpotLoad(const SpotLoadModel& model, const SpotLoadPrices& prices);

// Mean life of a gang of `nodes`: any loss stops all.
Duration JobMtbf(const Lifetime& lifetime, std::int64_t nodes);

// In a shortage: how long waiting is cheaper than going on demand for the `rest` that spot would
// have run: (on demand - spot) x rest / value. REQUIRES: value > 0
Duration LongestWait(Money value, Money price_difference, Duration rest);

// On demand after a shortage: how much work must be left for a return to spot to pay, which costs
// two restarts, there and maybe back: 2 x restart x on demand / (on demand - spot).
// REQUIRES: spot < on_demand
Duration ReturnPaysFrom(Duration restart, Money on_demand, Money spot);

}  // namespace plimsoll
