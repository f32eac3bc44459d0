// MlflowSqlite: runs of MLflow's database, if that is SQLite.
//
// The file is opened read-only and as immutable: nothing is written, no lock is taken, and an
// MLflow server may go on. What stands only in its write-ahead log is not seen; a warning says
// so. The one includer of sqlite3.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ingest/runs/run_facts.h"

namespace plimsoll {

bool IsSqliteFile(std::string_view head);

// Fails with kBadData if the database is not MLflow's or is damaged, kUnavailable if it cannot
// be read; then no rows of it are in `facts`. Runs that were deleted in MLflow are passed over.
Status ReadMlflowSqlite(const std::string& path, RunFacts& facts);

}  // namespace plimsoll
