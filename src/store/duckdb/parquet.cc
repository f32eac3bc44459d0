#include "store/duckdb/parquet.h"

#include <string_view>

#include "store/duckdb/duckdb_errors.h"
#include "store/duckdb/duckdb_handles.h"

namespace plimsoll {
namespace {

std::string Quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += c;
    out += c;
  }
  return out + quote;
}

class Session {
 public:
  explicit Session(std::string parquet) : parquet_(std::move(parquet)) {}

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
    return Run("SET memory_limit = '512MB'", result);
  }

  Status Run(const std::string& sql, duck::QueryResult& result) {
    if (duckdb_query(connection_.get(), sql.c_str(), result.get()) == DuckDBSuccess) return Ok();
    const duckdb_error_type type = duckdb_result_error_type(result.get());
    const char* message = duckdb_result_error(result.get());
    if (type == DUCKDB_ERROR_IO || type == DUCKDB_ERROR_OUT_OF_MEMORY) {
      return duck::StatementError(type, message, parquet_, sql);
    }
    return Error{ErrorCode::kBadData, std::string("not a readable Parquet file: ") + message};
  }

  std::string FileSql() const { return "read_parquet(" + Quoted(parquet_, '\'') + ")"; }

 private:
  std::string parquet_;
  duck::Database database_;
  duck::Connection connection_;
};

// The column's value as text.
std::string TextSql(const std::string& name, std::string_view type) {
  const std::string column = Quoted(name, '"');
  std::string value = column + "::VARCHAR";
  if (type.starts_with("TIMESTAMP WITH TIME ZONE")) {
    value = "make_timestamp(epoch_us(" + column + "))::VARCHAR";
  } else if (type.starts_with("MAP") || type.starts_with("STRUCT") || type.ends_with(']')) {
    value = "to_json(" + column + ")::VARCHAR";
  }
  return value + " AS " + column;
}

Result<std::string> ColumnsSql(Session& session) {
  duck::QueryResult columns;
  PLIMSOLL_RETURN_IF_ERROR(session.Run("DESCRIBE SELECT * FROM " + session.FileSql(), columns));
  std::string sql;
  while (const duck::DataChunk chunk{duckdb_fetch_chunk(*columns.get())}) {
    const auto text = [&](idx_t column, idx_t row) {
      auto* cells = static_cast<duckdb_string_t*>(
          duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk.get(), column)));
      return std::string(duckdb_string_t_data(&cells[row]), duckdb_string_t_length(cells[row]));
    };
    for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk.get()); ++row) {
      sql += (sql.empty() ? "" : ", ") + TextSql(text(0, row), text(1, row));
    }
  }
  return sql;
}

}  // namespace

Status ParquetToCsv(const std::string& parquet, const std::string& csv) {
  Session session(parquet);
  PLIMSOLL_RETURN_IF_ERROR(session.Open());
  PLIMSOLL_TRY(const std::string columns, ColumnsSql(session));
  duck::QueryResult result;
  return session.Run("COPY (SELECT " + columns + " FROM " + session.FileSql() + ") TO " +
                         Quoted(csv, '\'') + " (FORMAT csv, HEADER true, FORCE_QUOTE *)",
                     result);
}

}  // namespace plimsoll
