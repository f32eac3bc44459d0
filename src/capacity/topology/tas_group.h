// One search for a podset group: workers and, if there are two podsets, their leader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "capacity/topology/tas_counts.h"

namespace plimsoll {

struct TasGroupAssignment {
  TasAssignment workers;
  std::optional<TasAssignment> leader;
};

// What the searches of one workload have in common: the snapshot, and what its podsets that
// already have a place take there.
struct TasGroupSearch {
  const TasSnapshot& snapshot;
  const TasGates& gates;
  bool simulate_empty = false;
  AssumedUsage assumed;

  void Assume(const TasAssignment& assignment, const ResourceAmounts& pod);
};

// `within`: id of the domain that pods must lie in; empty: any. Fails with kBadData and Kueue's
// reason if there is no place.
Result<TasGroupAssignment> FindPodSets(const TasGroupSearch& search, const TasPodSet& workers,
                                       const TasPodSet* leader, const std::string& within = {});

}  // namespace plimsoll
