// ServingLoad: stores folded serving metrics, one snapshot a cluster and UTC day, merged with
// what is there.
//
// The merge is a join: of one (target, model, quantity, bucket, hour) each twelfth keeps the
// greater (covered, amount), marks are united. It is commutative, associative and idempotent,
// so loading in parts, in any order or twice gives the same rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "model/serving.h"
#include "store/snapshot.h"

namespace plimsoll {

inline constexpr const char* kServingKind = "serving";

// The rows of both batches, one a key, in key order.
ServingBatch MergeServing(ServingBatch a, const ServingBatch& b);

// Opens the day's scope in `load` and appends `rows` merged with its active snapshot.
Status StoreServingDay(Store& store, SnapshotLoad& load, const SnapshotKey& key, ServingBatch rows);

}  // namespace plimsoll
