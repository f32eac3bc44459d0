// Owning handles of the DuckDB C API: each is closed once, at the end of its scope.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <duckdb.h>

#include <memory>
#include <type_traits>

namespace plimsoll::duck {

// The C API frees a handle through a pointer to it and sets it to null.
template <auto free_function>
struct FreeHandle {
  template <class T>
  void operator()(T* handle) const {
    free_function(&handle);
  }
};
template <class Handle, auto free_function>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, FreeHandle<free_function>>;

using Database = Owned<duckdb_database, duckdb_close>;
using Connection = Owned<duckdb_connection, duckdb_disconnect>;
using Config = Owned<duckdb_config, duckdb_destroy_config>;
using Prepared = Owned<duckdb_prepared_statement, duckdb_destroy_prepare>;
using Pending = Owned<duckdb_pending_result, duckdb_destroy_pending>;
using LogicalType = Owned<duckdb_logical_type, duckdb_destroy_logical_type>;
using DataChunk = Owned<duckdb_data_chunk, duckdb_destroy_data_chunk>;
using Appender = Owned<duckdb_appender, duckdb_appender_destroy>;
using ErrorData = Owned<duckdb_error_data, duckdb_destroy_error_data>;

// duckdb_result is a struct, not a pointer; destroying a zeroed one is allowed.
class QueryResult {
 public:
  QueryResult() = default;
  QueryResult(const QueryResult&) = delete;
  QueryResult& operator=(const QueryResult&) = delete;
  ~QueryResult() { duckdb_destroy_result(&result_); }
  duckdb_result* get() { return &result_; }

 private:
  duckdb_result result_{};
};

}  // namespace plimsoll::duck
