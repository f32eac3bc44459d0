// Schema: the tables of the store and the steps from one version to the next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace plimsoll {

// Tables of facts, each with a snapshot_id column and a view active_<table>:
//   charge ChargeBatch, charge_total ChargeTotalBatch, price PriceBatch, node NodeBatch,
//   binding BindingBatch, holding HoldingBatch, pending PendingBatch, usage UsageBatch,
//   rejection RejectionBatch, node_state NodeStateBatch, set_aside SetAsideBatch,
//   volume VolumeBatch, run RunBatch, run_event RunEventBatch, request RequestBatch,
//   serving ServingBatch.
// Table snapshot is SnapshotBatch. The ledger's tables are its own (ledger/ledger.h).
// active_rejection also shows the rejections that reached no scope (snapshot_id 0).
inline constexpr std::array<const char*, 16> kFactTables{
    "charge",  "charge_total", "price",     "node",       "binding",   "holding",
    "pending", "usage",        "rejection", "node_state", "set_aside", "volume",
    "run",     "run_event",    "request",   "serving"};

// CREATE TABLE with the batch's columns, in order; NOT NULL unless optional.
std::string CreateTableSql(const std::string& table, const BatchRef& columns);

// CREATE VIEW active_<table>: the rows of active snapshots.
std::string CreateActiveViewSql(const std::string& table);

// Brings the database to this program's version, one committed step at a time. Fails with
// kFailedPrecondition if the database was written by a newer version, and with kBadData if it
// holds another program's tables.
Status Migrate(Store& store);

// One step, from the version before; its text never changes once released.
struct SchemaStep {
  std::int64_t version;
  const char* sql;
};

// As Migrate, with given steps in version order. REQUIRES: at least one
Status MigrateWith(Store& store, std::span<const SchemaStep> steps);

}  // namespace plimsoll
