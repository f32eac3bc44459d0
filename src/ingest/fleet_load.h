// FleetLoad: merges what one source says of a cluster into its snapshot.
//
// Scope: (kind, cluster). Rows merge with the active snapshot by key, so that loading in any
// order, in parts or twice gives the same snapshot: nodes by (cluster, node), holdings by
// (cluster, uid, node, device_kind), pending by (cluster, ns, name), bindings by union of
// overlapping or touching intervals of the same (device, instance, holder), conditions by
// the keys of model/conditions.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "base/result.h"
#include "model/conditions.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/import.h"
#include "store/snapshot.h"

namespace plimsoll {

// Waits that ended without anything held (a job that was cancelled while it waited), as
// (cluster, namespace, name, queued). They are not stored: the wait is dropped when they come.
using EndedWaits = std::set<std::tuple<std::string, std::string, std::string, Instant>>;

struct FleetFacts {
  NodeBatch nodes;
  HoldingBatch holdings;
  PendingBatch pending;
  BindingBatch bindings;
  NodeStateBatch states;
  SetAsideBatch set_asides;
  VolumeBatch volumes;
  EndedWaits ended_waits;
  // The time for which the source spoke, where its rows do not tell: what is held without an end
  // is held for all of it.
  std::optional<Window> covered;
};

// Opens (kind, cluster) in `load`, merges `facts` with the active snapshot's rows and
// appends the result. Rows are written in key order. The scope's data span covers the rows'
// own times, `covered` and all that the active snapshot covered.
Status StoreFleet(Store& store, SnapshotLoad& load, const SnapshotKey& key, FleetFacts facts);

}  // namespace plimsoll
