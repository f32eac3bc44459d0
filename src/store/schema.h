// Schema: the tables of the store and the steps from one version to the next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll {

// Tables of facts, each with a snapshot_id column and a view active_<table>:
//   charge ChargeBatch, charge_total ChargeTotalBatch, price PriceBatch, node NodeBatch,
//   binding BindingBatch, holding HoldingBatch, pending PendingBatch, usage UsageBatch,
//   rejection RejectionBatch.
// Table snapshot is SnapshotBatch. The ledger's tables are its own (ledger/ledger.h).

// CREATE TABLE with the batch's columns, in order.
std::string CreateTableSql(const std::string& table, const BatchRef& columns);

// Brings the database to this program's version, one committed step at a time. Fails with
// kFailedPrecondition if the database was written by a newer version.
Status Migrate(Store& store);

}  // namespace plimsoll
