// Columns of a Parquet file as batches, read by DuckDB on all cores in bounded memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/column.h"
#include "store/parquet_query.h"

namespace plimsoll {

// (name, DuckDB's type) of each column, in order. Fails with kBadData or kUnavailable.
Result<std::vector<std::pair<std::string, std::string>>> DescribeParquet(const std::string& path);

// Fills the columns of `chunk` with the values that `query` selects, one each, rows of the file
// in their order if it selects them as they are; calls `on_chunk` after every chunk, which may
// stop the scan with an error. Fails with kBadData if the file is damaged or a value has no
// answer, kInternal if a value has not its column's type.
Status ScanParquet(const ParquetQuery& query, const BatchRef& chunk,
                   const std::function<Status()>& on_chunk);

}  // namespace plimsoll
