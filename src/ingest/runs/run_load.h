// RunLoad: keeps training runs in the store, one snapshot a run.
//
// Scope: ("run", "source|run"). What is read joins with the active snapshot's rows by the rules
// of run_merge.h, so that loading in parts, twice or in any order gives the same rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "ingest/runs/run_files.h"
#include "model/import.h"
#include "store/snapshot.h"
#include "store/store.h"

namespace plimsoll {

// Opens a scope a run in `load` and appends its rows joined with what is active.
Status StoreRuns(Store& store, SnapshotLoad& load, const RunReading& reading);

// Reads and stores. Fails as ReadRunFiles or the store does; then nothing was changed.
Result<ImportReport> ImportRuns(Store& store, const RunFileOptions& options);

}  // namespace plimsoll
