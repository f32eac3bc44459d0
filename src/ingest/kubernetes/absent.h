// Absent: ends what the store has as open when a complete reading of the cluster lacks it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ingest/fleet_load.h"
#include "ingest/kubernetes/cluster_objects.h"

namespace plimsoll {

// Adds to `facts` an end for every open holding (complete: Pod), node (Node) and volume
// (PersistentVolumeClaim; its mounts end with their pods) of `known` that `facts` lack. The end
// is `known.until`: later than that nobody saw it, and a gap is not billed. A node that is back
// exists without end again. Returns how many pods and nodes ended.
std::int64_t EndAbsent(const KnownFacts& known, FleetFacts& facts);

}  // namespace plimsoll
