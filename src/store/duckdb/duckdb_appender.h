// TableAppender: writes batches to one table, a data chunk at a time.
//
// Belongs to one connection and one transaction. Rows are handed to the database's own
// column store as soon as some tens of thousands are gathered, so memory stays bounded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <duckdb.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "model/column.h"
#include "store/duckdb/duckdb_handles.h"

namespace plimsoll::duck {

class TableAppender {
 public:
  // `database` is its name in messages. Fails with kInternal if the table does not exist or
  // its columns' names or types are not the batch's, in order.
  static Result<TableAppender> Open(duckdb_connection connection, const std::string& database,
                                    const std::string& table, const BatchRef& columns);

  // Fails with kInternal if `rows` has other columns than the batch it was opened with or
  // vectors of different lengths, else as Encode (duckdb_columns.h).
  Status Append(const BatchRef& rows);

  // Makes every row appended so far visible to statements of the same transaction.
  Status Flush();

 private:
  struct Key {
    std::string name;
    ColumnType type;
    friend bool operator==(const Key&, const Key&) = default;
  };
  TableAppender() = default;
  Status CheckRows(const BatchRef& rows) const;
  Status AppendChunk(const BatchRef& rows, std::size_t begin, std::size_t count);
  Error LastError() const;

  std::string database_;
  std::string table_;
  std::vector<Key> keys_;
  DataChunk chunk_;
  Appender appender_;
  std::size_t unflushed_rows_ = 0;
};

}  // namespace plimsoll::duck
