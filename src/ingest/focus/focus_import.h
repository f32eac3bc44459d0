// ImportFocus: FOCUS 1.0 to 1.4 bills into charges whose costs add up to the written total.
//
// One snapshot a bill (issuer, account, currency, billing period). Loading the same bill
// again, its rows in another order or its parts together changes nothing; another content
// restates it. A bad row goes to the quarantine with its line, field, reason and cost; the
// other rows are loaded. Memory does not grow with the file. See docs/formats/focus.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "ingest/focus/focus_row.h"
#include "model/import.h"
#include "store/store.h"

namespace plimsoll {

struct FocusOptions {
  std::vector<std::string> files = {};  // CSV, gzip of CSV or Parquet; a folder; "-" is stdin
  // Replace only the days on which the files have charges, keep the bill's other days.
  // Otherwise a bill that would lose days is refused.
  bool partial = false;
  bool strict = false;  // any refused row fails the import, and nothing is loaded
  std::vector<std::string> null_tokens = kFocusNullTokens;  // of unquoted fields
  std::map<std::string, std::string> defaults = {};  // column -> value, where a file lacks it
  Progress progress = {};                            // bytes of the files
  // Writes a Parquet file as CSV (store/duckdb/parquet.h); without it Parquet is refused.
  std::function<Status(const std::string& parquet, const std::string& csv)> parquet_to_csv = {};
};

// Fails with kNotFound, kUnavailable (files), kBadData (no FOCUS file; strict), or as the
// store does; then nothing was changed.
Result<ImportReport> ImportFocus(Store& store, const FocusOptions& options);

}  // namespace plimsoll
