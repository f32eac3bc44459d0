// Store: where facts and cost lines are kept. The only door to a database.
//
// One implementation a database (store/duckdb/, later ClickHouse); nothing else includes a
// database client. A Store is used from one thread at a time. SQL given to it filters, joins
// and adds; it never divides money (that would be floating point).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/column.h"

namespace plimsoll {

// A query parameter, written `?` in the SQL.
using SqlValue = std::variant<std::monostate, std::int64_t, std::string, Instant>;
using SqlParams = std::vector<SqlValue>;

class Store {
 public:
  virtual ~Store() = default;

  // Runs a statement that returns no rows.
  virtual Status Execute(const std::string& sql, const SqlParams& params) = 0;

  // Appends every row of the batch to `table`, whose columns are the batch's, in order.
  // Fails with kOutOfRange if a row's money is 10^9 units or more.
  virtual Status Append(const std::string& table, const BatchRef& rows) = 0;

  // Runs a query whose columns are the batch's, in order; hands over rows a chunk at a time.
  // Each chunk replaces the batch's content and then calls `on_chunk`, which may stop the
  // scan with an error. Memory does not grow with the result.
  // Fails with kInternal if the columns' types differ from the batch's.
  virtual Status Stream(const std::string& sql, const SqlParams& params, const BatchRef& chunk,
                        const std::function<Status()>& on_chunk) = 0;

  // All or nothing; not nested. After a failed statement only Rollback is of use.
  virtual Status Begin() = 0;
  virtual Status Commit() = 0;
  virtual Status Rollback() = 0;
};

template <class Batch>
Status Append(Store& store, const std::string& table, const Batch& batch) {
  return store.Append(table, RefTo(batch));
}

// Gathers all rows. For results that fit in memory: dimensions and aggregates.
template <class Batch>
Result<Batch> Query(Store& store, const std::string& sql, const SqlParams& params = {}) {
  Batch all;
  Batch chunk;
  PLIMSOLL_RETURN_IF_ERROR(store.Stream(sql, params, RefTo(chunk), [&] {
    for (std::size_t row = 0; row < RowsOf(chunk); ++row) AppendRow(all, chunk, row);
    return Ok();
  }));
  return all;
}

}  // namespace plimsoll
