// AssignPodSets: where the podsets of one workload go in one flavor, exactly as Kueue's
// topology-aware scheduling decides (KEP-2724; its public table tests are run by
// tests/conformance).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "capacity/topology/tas_snapshot.h"

namespace plimsoll {

struct TasOptions {
  TasGates gates;
  bool simulate_empty = false;      // as if all that TAS admitted were preempted
  std::optional<TasRepair> repair;  // replace a node of an admitted workload
};

// By podset. The first group without a place ends the search: podsets after it have no result.
// Podsets of a group share one search; the smaller one is the leader. What a podset gets is
// taken from what the next ones find.
std::map<std::string, TasResult> AssignPodSets(const TasSnapshot& snapshot,
                                               std::span<const TasPodSet> podsets,
                                               const TasOptions& options);

}  // namespace plimsoll
