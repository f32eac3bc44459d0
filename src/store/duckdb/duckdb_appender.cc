#include "store/duckdb/duckdb_appender.h"

#include <algorithm>

#include "base/limits.h"
#include "store/duckdb/duckdb_columns.h"
#include "store/duckdb/duckdb_errors.h"

namespace plimsoll::duck {
namespace {

std::string Quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

Status CheckTable(duckdb_connection connection, const std::string& database,
                  const std::string& table, const BatchRef& columns) {
  const std::string sql = "SELECT * FROM " + Quoted(table);
  duckdb_prepared_statement raw = nullptr;
  const duckdb_state state = duckdb_prepare(connection, sql.c_str(), &raw);
  const Prepared prepared(raw);
  if (state == DuckDBError) {
    return StatementError(DUCKDB_ERROR_BINDER, duckdb_prepare_error(raw), database, sql);
  }
  const idx_t count = duckdb_prepared_statement_column_count(raw);
  if (count != columns.size()) {
    return Error{ErrorCode::kInternal, "table " + table + " has " + std::to_string(count) +
                                           " columns, but the batch has " +
                                           std::to_string(columns.size())};
  }
  for (idx_t i = 0; i < count; ++i) {
    const char* raw_name = duckdb_prepared_statement_column_name(raw, i);
    const std::string name(raw_name);
    duckdb_free(const_cast<char*>(raw_name));
    if (name != columns[i].name) {
      return Error{ErrorCode::kInternal, "column " + std::to_string(i + 1) + " of table " + table +
                                             " is " + name + ", but the batch's is " +
                                             columns[i].name};
    }
    const LogicalType type(duckdb_prepared_statement_column_logical_type(raw, i));
    PLIMSOLL_RETURN_IF_ERROR(CheckType(columns[i], type.get()));
  }
  return Ok();
}

}  // namespace

Result<TableAppender> TableAppender::Open(duckdb_connection connection, const std::string& database,
                                          const std::string& table, const BatchRef& columns) {
  PLIMSOLL_RETURN_IF_ERROR(CheckTable(connection, database, table, columns));
  TableAppender self;
  self.database_ = database;
  self.table_ = table;
  std::vector<LogicalType> types;
  std::vector<duckdb_logical_type> raw_types;
  for (const ColumnRef& column : columns) {
    self.keys_.push_back({column.name, column.type});
    types.push_back(TypeOf(column.type));
    raw_types.push_back(types.back().get());
  }
  self.chunk_.reset(duckdb_create_data_chunk(raw_types.data(), raw_types.size()));
  duckdb_appender raw = nullptr;
  const duckdb_state state = duckdb_appender_create(connection, nullptr, table.c_str(), &raw);
  self.appender_.reset(raw);
  if (state == DuckDBError) return self.LastError();
  return self;
}

Error TableAppender::LastError() const {
  const ErrorData data(duckdb_appender_error_data(appender_.get()));
  const char* message = duckdb_error_data_message(data.get());
  return StatementError(duckdb_error_data_error_type(data.get()),
                        message == nullptr ? "cannot append" : message, database_,
                        "append to " + table_);
}

Status TableAppender::CheckRows(const BatchRef& rows) const {
  if (rows.size() != keys_.size()) {
    return Error{ErrorCode::kInternal, "the batch for table " + table_ + " has other columns"};
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].type != keys_[i].type || keys_[i].name != rows[i].name) {
      return Error{ErrorCode::kInternal, "column " + std::string(rows[i].name) +
                                             " of the batch is not table " + table_ + "'s " +
                                             keys_[i].name};
    }
    if (SizeOf(rows[i]) != SizeOf(rows[0])) {
      return Error{ErrorCode::kInternal, "column " + std::string(rows[i].name) + " has " +
                                             std::to_string(SizeOf(rows[i])) + " rows, but " +
                                             rows[0].name + " has " +
                                             std::to_string(SizeOf(rows[0]))};
    }
  }
  return Ok();
}

Status TableAppender::Append(const BatchRef& rows) {
  PLIMSOLL_RETURN_IF_ERROR(CheckRows(rows));
  const std::size_t count = SizeOf(rows[0]);
  const std::size_t step = duckdb_vector_size();
  for (std::size_t begin = 0; begin < count; begin += step) {
    PLIMSOLL_RETURN_IF_ERROR(AppendChunk(rows, begin, std::min(step, count - begin)));
  }
  return unflushed_rows_ < kBatchRows ? Ok() : Flush();
}

Status TableAppender::AppendChunk(const BatchRef& rows, std::size_t begin, std::size_t count) {
  duckdb_data_chunk_reset(chunk_.get());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PLIMSOLL_RETURN_IF_ERROR(
        Encode(rows[i], {begin, count}, duckdb_data_chunk_get_vector(chunk_.get(), i)));
  }
  duckdb_data_chunk_set_size(chunk_.get(), count);
  if (duckdb_append_data_chunk(appender_.get(), chunk_.get()) == DuckDBError) return LastError();
  unflushed_rows_ += count;
  return Ok();
}

Status TableAppender::Flush() {
  if (unflushed_rows_ == 0) return Ok();
  unflushed_rows_ = 0;
  return duckdb_appender_flush(appender_.get()) == DuckDBError ? Status(LastError()) : Ok();
}

}  // namespace plimsoll::duck
