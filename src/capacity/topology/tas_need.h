// From a podset's wish to what is searched for: levels resolved, sizes checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "capacity/topology/tas_counts.h"

namespace plimsoll {

// The level that a podset asks for; null if it asks for none.
std::optional<std::string> RequestedLevel(const TasSnapshot& snapshot, const TasPodSet& podset);
// Pods of the outermost slice; 1 without slices. Fails with kBadData if a size is missing.
Result<std::int64_t> SliceSize(const TasPodSet& podset);
bool Required(const TasPodSet& podset);
bool HasSlices(const TasPodSet& podset);

// Fails with kBadData and Kueue's words: a level that the topology does not have, slices above
// the podset's level, sizes that do not divide.
Result<TasNeed> NeedOf(const TasSnapshot& snapshot, const TasGates& gates, const TasPodSet& workers,
                       bool with_leader);

}  // namespace plimsoll
