// RowHash: the content hash of one row of any batch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/hash.h"
#include "model/column.h"

namespace plimsoll {

// Columns that say where a row stands, not what it says: snapshot_id and line.
bool IsPositional(const ColumnRef& column);

// Hashes row `row`, every column but the positional ones, in column order.
Hash128 HashOfRow(const BatchRef& columns, std::size_t row);

// The sum over all rows: the same for any order of them.
template <class Batch>
Hash128 HashOfRows(const Batch& batch) {
  const BatchRef columns = RefTo(batch);
  Hash128 sum;
  for (std::size_t row = 0; row < RowsOf(batch); ++row) sum += HashOfRow(columns, row);
  return sum;
}

}  // namespace plimsoll
