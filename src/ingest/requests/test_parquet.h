// Parquet files of tests, and the store's reader of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <duckdb.h>

#include <string>

#include "ingest/requests/request_reader.h"
#include "store/duckdb/parquet_scan.h"

namespace plimsoll {

inline bool WriteParquet(const std::string& path, const std::string& select) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  if (duckdb_open(nullptr, &database) == DuckDBError) return false;
  if (duckdb_connect(database, &connection) == DuckDBError) return false;
  const std::string sql = "COPY (" + select + ") TO '" + path + "' (FORMAT parquet)";
  const bool done = duckdb_query(connection, sql.c_str(), nullptr) == DuckDBSuccess;
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  return done;
}

inline ParquetAccess TestParquet() {
  ParquetAccess access;
  access.describe = [](const std::string& path) -> Result<std::vector<ParquetColumn>> {
    PLIMSOLL_TRY(const auto described, DescribeParquet(path));
    std::vector<ParquetColumn> columns;
    for (const auto& [name, type] : described) columns.push_back({name, type});
    return columns;
  };
  access.scan = ScanParquet;
  return access;
}

}  // namespace plimsoll
