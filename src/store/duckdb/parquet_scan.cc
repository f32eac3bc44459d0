#include "store/duckdb/parquet_scan.h"

#include <duckdb.h>

#include "store/duckdb/duckdb_columns.h"
#include "store/duckdb/duckdb_errors.h"
#include "store/duckdb/duckdb_handles.h"

namespace plimsoll {
namespace {

struct NameAndType {
  std::vector<std::string> name, type;
};

// A name is taken as it is: characters that DuckDB would read as a pattern are bracketed.
std::string FileSql(const std::string& path) {
  std::string escaped;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[') {
      escaped += std::string("[") + c + "]";
    } else {
      escaped += c;
    }
    if (c == '\'') escaped += c;
  }
  return "read_parquet('" + escaped + "')";
}

class Session {
 public:
  explicit Session(const std::string& path) : path_(path) {}

  Status Open() {
    duckdb_database database = nullptr;
    char* message = nullptr;
    const duckdb_state opened = duckdb_open_ext(nullptr, &database, nullptr, &message);
    database_.reset(database);
    duckdb_free(message);
    duckdb_connection connection = nullptr;
    if (opened == DuckDBError || duckdb_connect(database, &connection) == DuckDBError) {
      return Error{ErrorCode::kUnavailable, "cannot start the Parquet reader"};
    }
    connection_.reset(connection);
    duck::QueryResult result;
    if (duckdb_query(connection_.get(), "SET memory_limit = '512MB'", result.get()) ==
        DuckDBError) {
      return Failure(result, "SET memory_limit");
    }
    return Ok();
  }

  Status Stream(const std::string& sql, const BatchRef& chunk,
                const std::function<Status()>& on_chunk) {
    duckdb_prepared_statement raw = nullptr;
    const duckdb_state prepared_state = duckdb_prepare(connection_.get(), sql.c_str(), &raw);
    const duck::Prepared prepared(raw);
    if (prepared_state == DuckDBError) {
      return Error{ErrorCode::kBadData,
                   path_ + ": not a readable Parquet file: " + duckdb_prepare_error(raw)};
    }
    duck::QueryResult result;
    if (duckdb_execute_prepared_streaming(prepared.get(), result.get()) == DuckDBError) {
      return Failure(result, sql);
    }
    if (duckdb_column_count(result.get()) != chunk.size()) {
      return Error{ErrorCode::kInternal, "a Parquet scan has another number of columns"};
    }
    for (idx_t i = 0; i < chunk.size(); ++i) {
      const duck::LogicalType type(duckdb_column_logical_type(result.get(), i));
      PLIMSOLL_RETURN_IF_ERROR(duck::CheckType(chunk[i], type.get()));
    }
    while (const duck::DataChunk fetched{duckdb_fetch_chunk(*result.get())}) {
      const std::size_t count = duckdb_data_chunk_get_size(fetched.get());
      if (count == 0) continue;
      for (idx_t i = 0; i < chunk.size(); ++i) {
        PLIMSOLL_RETURN_IF_ERROR(
            duck::Decode(duckdb_data_chunk_get_vector(fetched.get(), i), count, chunk[i]));
      }
      PLIMSOLL_RETURN_IF_ERROR(on_chunk());
    }
    if (duckdb_result_error_type(result.get()) == DUCKDB_ERROR_INVALID) return Ok();
    return Failure(result, sql);
  }

 private:
  Error Failure(duck::QueryResult& result, const std::string& sql) {
    const duckdb_error_type type = duckdb_result_error_type(result.get());
    const char* message = duckdb_result_error(result.get());
    const std::string text = message == nullptr ? "unknown error" : message;
    if (type == DUCKDB_ERROR_IO || type == DUCKDB_ERROR_OUT_OF_MEMORY) {
      return duck::StatementError(type, text, path_, sql);
    }
    return {ErrorCode::kBadData, path_ + ": not a readable Parquet file: " + text};
  }

  std::string path_;
  duck::Database database_;
  duck::Connection connection_;
};

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> DescribeParquet(const std::string& path) {
  Session session(path);
  PLIMSOLL_RETURN_IF_ERROR(session.Open());
  NameAndType chunk;
  const BatchRef refs{{"column_name", ColumnType::kText, &chunk.name},
                      {"column_type", ColumnType::kText, &chunk.type}};
  std::vector<std::pair<std::string, std::string>> columns;
  PLIMSOLL_RETURN_IF_ERROR(session.Stream(
      "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM " + FileSql(path) + ")", refs,
      [&] {
        for (std::size_t i = 0; i < chunk.name.size(); ++i) {
          columns.emplace_back(chunk.name[i], chunk.type[i]);
        }
        return Ok();
      }));
  return columns;
}

Status ScanParquet(const ParquetQuery& query, const BatchRef& chunk,
                   const std::function<Status()>& on_chunk) {
  Session session(query.path);
  PLIMSOLL_RETURN_IF_ERROR(session.Open());
  return session.Stream(query.select + " FROM " + FileSql(query.path) + " " + query.rest, chunk,
                        on_chunk);
}

}  // namespace plimsoll
