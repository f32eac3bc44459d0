// Ledger tables: where computed cost lines lie. Derived data: they can always be computed
// again from facts, so a change of layout drops and refills them instead of migrating.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "allocation/allocation.h"
#include "base/result.h"
#include "store/store.h"

namespace plimsoll {

// Tables ledger_line, ledger_scope, ledger_workload, ledger_node, ledger_asset,
// ledger_finding: the batches of AllocationOutput, each with a leading day_id; the three
// dimensions also with the id that lines refer to. One day of output is one day_id.
// Table ledger_day_line: the lines again, added up over the hours and nodes of a day: hour is
// the day's begin, node_id is -1. A sum that a row cannot hold is several rows.
// Table ledger_day: day_id, day (ms), input_hash, snapshots (ids that it was computed from).

// Creates the tables, or recreates them empty if this program's layout differs.
Status PrepareLedgerTables(Store& store);

// Writes one day's output under `day_id`. REQUIRES: an open transaction.
Status WriteLedgerDay(Store& store, std::int64_t day_id, const AllocationOutput& output);

// Removes every row of `day_id`. REQUIRES: an open transaction.
Status DeleteLedgerDay(Store& store, std::int64_t day_id);

}  // namespace plimsoll
