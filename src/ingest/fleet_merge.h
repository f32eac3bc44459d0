// FleetMerge: the rules by which two sightings of one node, pod or job become one row.
//
// Every rule is commutative, associative and idempotent, so the result depends on the set of
// facts alone. Field by field:
//   begin, queued, ready   the earliest; a known time beats null
//   until, end_reason      the latest end with its reason; a known end beats null
//   counts and amounts     the greatest
//   share                  the smallest: the sighting that knew of slices knew more
//   labels                 union; of two values of one key the greater text. A key with a
//                          companion "<key>.as-of" keeps the value of the latest as-of
//   workload               the owner furthest up: Pod < ReplicaSet < Job < any other kind
//   other texts            a text beats "" (and "unknown"); of two, the greater
//   seen, amounts of a key the greatest
//   pending                the sighting queued last; it is gone once a holding of the same
//                          name began at or after that
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/fleet_load.h"

namespace plimsoll {

// Merges `facts` within itself; rows come back in key order. Units of Kubernetes holdings are
// those of their node (UnitOnNode) where it is among the facts.
FleetFacts MergeFacts(const FleetFacts& facts);

// Adds all rows of `from` to `to`.
void AppendFacts(FleetFacts& to, const FleetFacts& from);

}  // namespace plimsoll
