// DuckDB's errors in our words: what happened, to which file, and what to do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <duckdb.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::duck {

// Of a statement, an append or a commit on the database named `database` (a path, or
// "in memory"). A full disk or other input/output error is kUnavailable and says that nothing
// was changed, for whoever gets it rolls back; lack of memory is kUnavailable; a value out of
// range is kOutOfRange; anything else is our bug, kInternal, with the head of `sql`.
Error StatementError(duckdb_error_type type, std::string_view message, std::string_view database,
                     std::string_view sql);

// Of opening the file `path`: in use (kUnavailable, with the other process's PID), not a
// database (kBadData), no such folder (kNotFound), no permission or space (kUnavailable).
Error OpenError(std::string_view message, const std::string& path);

}  // namespace plimsoll::duck
