// Columns of a Parquet file as batches, read by DuckDB on all cores in bounded memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/column.h"

namespace plimsoll {

// (name, DuckDB's type) of each column, in order. Fails with kBadData or kUnavailable.
Result<std::vector<std::pair<std::string, std::string>>> DescribeParquet(const std::string& path);

// Evaluates `expressions` over the file's rows, in their order, into the columns of `chunk`, one
// each; calls `on_chunk` after every chunk, which may stop the scan with an error. Fails with
// kBadData if the file is damaged, kInternal if an expression has not its column's type.
Status ScanParquet(const std::string& path, const std::vector<std::string>& expressions,
                   const BatchRef& chunk, const std::function<Status()>& on_chunk);

}  // namespace plimsoll
