// Balanced placement: a preferred group spread as evenly as can be over as few domains as hold it.
//
// Kueue's gate TASBalancedPlacement. The threshold is the least number of slices that a domain
// gets: of all sets of sibling domains that take the group the one with the greatest is chosen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capacity/topology/tas_order.h"

namespace plimsoll {

struct TasBalance {
  TasDomains domains;       // empty: cannot be balanced
  TasStates states;         // with what each domain gets
  std::uint32_t level = 0;  // of `domains`
};

TasBalance BalancedDomains(const TasSnapshot& snapshot, const TasOrder& order, const TasNeed& need,
                           const TasStates& states);

}  // namespace plimsoll
