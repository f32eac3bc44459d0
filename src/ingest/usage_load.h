// UsageLoad: stores folded usage, one snapshot a cluster and UTC day, merged with what is there.
//
// The merge is a join: for one (device, instance, hour) the better signal of the ladder wins
// the hour, within one signal each twelfth keeps the greater (covered, active), energy and
// memory keep the integral that covers more, marks are united (those of a signal go with it).
// It is commutative, associative
// and idempotent, so loading in parts, in any order or twice gives the same rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "model/usage.h"
#include "store/snapshot.h"

namespace plimsoll {

struct UsageDay {
  std::string cluster;
  Window day;      // one UTC day
  Window covered;  // the part of it that was read
};

// The rows of both batches, one a (cluster, device, instance, hour), in key order.
UsageBatch MergeUsage(UsageBatch a, const UsageBatch& b);

// Opens the day's scope in `load` and appends `rows` merged with its active snapshot.
Status StoreUsageDay(Store& store, SnapshotLoad& load, const UsageDay& day, UsageBatch rows);

// True if the active snapshot of that day covers all of it.
Result<bool> IsUsageDayLoaded(Store& store, const std::string& cluster, Window day);

}  // namespace plimsoll
