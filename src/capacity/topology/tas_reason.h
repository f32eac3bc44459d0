// Why a podset group has no place, in the words that Kueue shows its users.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "capacity/topology/tas_counts.h"

namespace plimsoll {

std::string NoDomainsReason(const TasSnapshot& snapshot, std::uint32_t level);

// `fitting` of the slices (or pods) wanted fit; then what keeps leaves out.
std::string NotFitReason(const TasSnapshot& snapshot, const TasNeed& need, std::int64_t fitting,
                         const TasExclusions& exclusions);

// Of slices in slices: how many of each layer fit in the domain of `level` that takes most.
std::string LayersReason(const TasSnapshot& snapshot, const TasNeed& need, std::uint32_t level,
                         const TasStates& states, const TasExclusions& exclusions);

}  // namespace plimsoll
