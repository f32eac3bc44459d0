// Expected time of a run under any law of lifetimes, by the renewal equation.
//
// Each eviction brings a new instance, so that attempts begin alike; an attempt saves as many
// segments as it lives through. Exact but for the integration of the survival (to 1e-9). For one
// node, or a gang that is replaced as a whole. Milliseconds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "purchase/spot/lifetime.h"

namespace plimsoll {

struct RenewalRun {
  double work = 0, interval = 0, save = 0, restart = 0, wait = 0;
  bool last_is_saved = true;
};

// From the first instance, which works at once, to the end. Infinite if no instance can live
// through a restart and a segment. REQUIRES: work, interval > 0
double RenewalTime(const Lifetime& lifetime, const RenewalRun& run);

// The interval, of those that divide the work evenly, with the least RenewalTime;
// `run.interval` is not used. REQUIRES: save > 0
double BestInterval(const Lifetime& lifetime, RenewalRun run);

}  // namespace plimsoll
