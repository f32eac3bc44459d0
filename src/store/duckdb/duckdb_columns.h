// Columns between batches and DuckDB vectors: one codec a ColumnType, nulls as validity bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <duckdb.h>

#include <string>

#include "base/result.h"
#include "model/column.h"
#include "store/duckdb/duckdb_handles.h"

namespace plimsoll::duck {

struct RowRange {
  std::size_t begin = 0;
  std::size_t count = 0;  // at most duckdb_vector_size()
};

// Length of the column's vector.
std::size_t SizeOf(const ColumnRef& column);

// The column type as DuckDB has it.
LogicalType TypeOf(ColumnType type);

// "DECIMAL(18,9)", "BIGINT[12]", ... for messages.
std::string NameOf(duckdb_logical_type type);

// Fails with kInternal, naming the column, if `actual` is not laid out as `column` reads it.
Status CheckType(const ColumnRef& column, duckdb_logical_type actual);

// Writes `rows` of the column into the front of `out`, a fresh or reset vector of TypeOf().
// Fails with kOutOfRange (money) or kBadData (text that is not UTF-8), naming the column.
Status Encode(const ColumnRef& column, RowRange rows, duckdb_vector out);

// Replaces the column's content by the first `count` rows of `in`, whose type was checked.
// Fails with kInternal, naming the column, on a null in a column that has none.
Status Decode(duckdb_vector in, std::size_t count, const ColumnRef& column);

}  // namespace plimsoll::duck
