// TasSearch: the domains that one podset group gets, from counted states.
//
// Two steps, as Kueue has them: at which level and in which domains the group fits, then level by
// level downwards with as few domains as can be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "capacity/topology/tas_order.h"

namespace plimsoll {

// Where workers and leader lie: domains of the lowest level, `pods` and `leaders` of the states.
struct TasChoice {
  TasDomains domains;
  TasStates states;
  std::string reason;  // why there is no place; then no domains
};

// REQUIRES: states of CountDomains for `need`
TasChoice SearchDomains(const TasSnapshot& snapshot, const TasGates& gates, const TasNeed& need,
                        TasStates states, const TasExclusions& exclusions);

}  // namespace plimsoll
