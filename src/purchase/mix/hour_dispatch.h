// HourDispatch: who uses which units of one flavor, hour by hour, once they are decided.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "purchase/mix/fleet_choice.h"

namespace plimsoll {

// One workload's part that is at hand: it takes commitments with all of the same price, in
// proportion, before those with a lower one.
struct DispatchLoad {
  const HourlyUnits* used = nullptr;
  Money elsewhere;  // of a unit-hour outside the commitments
};

struct DispatchedUse {
  std::vector<int128> reserved;     // of each load, unit-milliseconds of all hours
  std::vector<int128> elsewhere;    // of each, the rest
  int128 existing = 0, bought = 0;  // used of the commitments; both add up to all reserved
};

// The first `existing` units are those already in force. REQUIRES: all of the same hours
DispatchedUse DispatchHours(std::span<const DispatchLoad> loads, std::int64_t existing,
                            std::int64_t bought);

}  // namespace plimsoll
