#include "store/duckdb/duckdb_store.h"

#include <duckdb.h>

#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include "store/duckdb/duckdb_appender.h"
#include "store/duckdb/duckdb_columns.h"
#include "store/duckdb/duckdb_errors.h"
#include "store/duckdb/duckdb_file.h"
#include "store/duckdb/duckdb_handles.h"
#include "store/duckdb/duckdb_undo.h"
#include "store/schema.h"
#include "store/utf8.h"

namespace plimsoll {
namespace {

constexpr const char* kInMemoryName = "in memory";
// A log of commits that is longer is written into the database at once, not at closing.
constexpr std::int64_t kLongLog = 64 << 20;  // bytes

struct BlockBatch {
  std::vector<std::int64_t> id, bytes;
  static constexpr std::tuple kColumns{MakeColumn("id", &BlockBatch::id),
                                       MakeColumn("bytes", &BlockBatch::bytes)};
};

Error ErrorOf(duckdb_result* result, const std::string& database, const std::string& sql) {
  const char* message = duckdb_result_error(result);
  return duck::StatementError(duckdb_result_error_type(result),
                              message == nullptr ? "unknown error" : message, database, sql);
}

Error ScanRunning(const char* what) {
  return {ErrorCode::kInternal,
          std::string(what) + " was called while a scan runs; finish the scan first"};
}

// Everything that has to be closed before the file is free again, in reverse order.
struct OpenFile {
  std::optional<duck::PathClaim> claim;
  std::optional<duck::DatabaseFile> file;  // none in memory
  duck::Database database;
  duck::Connection connection;
};

class DuckDbStore final : public Store {
 public:
  DuckDbStore(OpenFile file, std::string name) : name_(std::move(name)), file_(std::move(file)) {}

  // A checkpoint that fails here loses nothing: the log is read again at the next opening.
  ~DuckDbStore() override {
    if (in_transaction_) static_cast<void>(Rollback());
    if (LogBytes() > 0 && !checkpoint_failed_) static_cast<void>(Checkpoint());
  }

  Status Execute(const std::string& sql, const SqlParams& params) override {
    if (scanning_) return ScanRunning("Execute");
    PLIMSOLL_RETURN_IF_ERROR(Flush());
    return Note(params.empty() ? Run(sql) : RunPrepared(sql, params));
  }

  Status Append(const std::string& table, const BatchRef& rows) override {
    if (scanning_) return ScanRunning("Append");
    if (in_transaction_) return Note(AppendRows(table, rows));
    PLIMSOLL_RETURN_IF_ERROR(Begin());
    const Status appended = Note(AppendRows(table, rows));
    if (appended) return Commit();
    static_cast<void>(Rollback());
    return appended;
  }

  Status Stream(const std::string& sql, const SqlParams& params, const BatchRef& chunk,
                const std::function<Status()>& on_chunk) override {
    if (scanning_) return ScanRunning("Stream");
    PLIMSOLL_RETURN_IF_ERROR(Flush());
    PLIMSOLL_TRY(const duck::Prepared prepared, Prepare(sql, params));
    duck::QueryResult result;
    if (duckdb_execute_prepared_streaming(prepared.get(), result.get()) == DuckDBError) {
      return Note(ErrorOf(result.get(), name_, sql));
    }
    PLIMSOLL_RETURN_IF_ERROR(CheckColumns(result.get(), chunk, sql));
    scanning_ = true;
    const Status fetched = FetchAll(result.get(), sql, chunk, on_chunk);
    scanning_ = false;
    return fetched;
  }

  Status Begin() override {
    if (scanning_) return ScanRunning("Begin");
    if (in_transaction_) {
      return Error{ErrorCode::kFailedPrecondition,
                   "a transaction is already open; transactions are not nested"};
    }
    PLIMSOLL_RETURN_IF_ERROR(Run("BEGIN TRANSACTION"));
    in_transaction_ = true;
    failed_ = false;
    return Ok();
  }

  Status Commit() override {
    if (scanning_) return ScanRunning("Commit");
    if (!in_transaction_) return NoTransaction("commit");
    Status flushed = Flush();
    if (!flushed || failed_) {
      static_cast<void>(Rollback());
      if (!flushed) return flushed;
      return Error{ErrorCode::kFailedPrecondition,
                   "a statement of this transaction failed; nothing was changed"};
    }
    appenders_.clear();
    in_transaction_ = false;
    Status committed = Run("COMMIT");
    // A commit that fails has ended the transaction already, or must be ended here.
    if (!committed) static_cast<void>(Run("ROLLBACK"));
    if (!committed || LogBytes() <= kLongLog || checkpoint_failed_) return committed;
    // What was committed is in the log, whatever becomes of this.
    static_cast<void>(Checkpoint());
    return Ok();
  }

  Status Rollback() override {
    if (scanning_) return ScanRunning("Rollback");
    if (!in_transaction_) return NoTransaction("roll back");
    appenders_.clear();  // while the transaction is open: what they still hold goes with it
    in_transaction_ = false;
    return Run("ROLLBACK");
  }

 private:
  static Error NoTransaction(const char* what) {
    return {ErrorCode::kFailedPrecondition, std::string("there is no transaction to ") + what};
  }

  std::int64_t LogBytes() const { return file_.file ? duck::FileBytes(name_ + ".wal") : 0; }

  // Writes the log of commits into the database.
  Status Checkpoint() {
    checkpoint_failed_ = true;  // until it is done
    PLIMSOLL_TRY(const BlockBatch blocks,
                 Query<BlockBatch>(*this,
                                   "SELECT m.block_id, s.block_size FROM pragma_metadata_info() m, "
                                   "pragma_database_size() s"));
    PLIMSOLL_RETURN_IF_ERROR(
        file_.file->SaveUndo(blocks.id, blocks.bytes.empty() ? 1 : blocks.bytes[0]));
    PLIMSOLL_RETURN_IF_ERROR(Run("CHECKPOINT"));
    file_.file->DropUndo();
    checkpoint_failed_ = false;
    return Ok();
  }

  // Remembers that a statement failed: only Rollback is of use after that.
  Status Note(Status status) {
    if (!status) failed_ = true;
    return status;
  }

  Status Run(const std::string& sql) {
    duck::QueryResult result;
    if (duckdb_query(file_.connection.get(), sql.c_str(), result.get()) == DuckDBError) {
      return ErrorOf(result.get(), name_, sql);
    }
    return Ok();
  }

  Status RunPrepared(const std::string& sql, const SqlParams& params) {
    PLIMSOLL_TRY(const duck::Prepared prepared, Prepare(sql, params));
    duck::QueryResult result;
    if (duckdb_execute_prepared(prepared.get(), result.get()) == DuckDBError) {
      return ErrorOf(result.get(), name_, sql);
    }
    return Ok();
  }

  Result<duck::Prepared> Prepare(const std::string& sql, const SqlParams& params) {
    duckdb_prepared_statement raw = nullptr;
    const duckdb_state state = duckdb_prepare(file_.connection.get(), sql.c_str(), &raw);
    duck::Prepared prepared(raw);
    if (state == DuckDBError) {
      const char* message = duckdb_prepare_error(raw);
      return duck::StatementError(DUCKDB_ERROR_BINDER, message == nullptr ? "" : message, name_,
                                  sql);
    }
    if (duckdb_nparams(raw) != params.size()) {
      return Error{ErrorCode::kInternal, "statement has " + std::to_string(duckdb_nparams(raw)) +
                                             " parameters, given " + std::to_string(params.size()) +
                                             ": " + sql};
    }
    for (std::size_t i = 0; i < params.size(); ++i) {
      PLIMSOLL_RETURN_IF_ERROR(Bind(raw, i + 1, params[i]));
    }
    return prepared;
  }

  static Status Bind(duckdb_prepared_statement statement, idx_t index, const SqlValue& value) {
    const duckdb_state state = std::visit(
        [&]<class T>(const T& v) {
          if constexpr (std::is_same_v<T, std::monostate>) {
            return duckdb_bind_null(statement, index);
          } else if constexpr (std::is_same_v<T, std::string>) {
            if (!IsUtf8(v)) return DuckDBError;
            return duckdb_bind_varchar_length(statement, index, v.data(), v.size());
          } else if constexpr (std::is_same_v<T, Instant>) {
            return duckdb_bind_int64(statement, index, v.base());
          } else {
            return duckdb_bind_int64(statement, index, v);
          }
        },
        value);
    if (state != DuckDBError) return Ok();
    return Error{ErrorCode::kInvalidArgument,
                 "query parameter " + std::to_string(index) + " is not UTF-8 text"};
  }

  Status CheckColumns(duckdb_result* result, const BatchRef& chunk, const std::string& sql) {
    const idx_t count = duckdb_column_count(result);
    if (count != chunk.size()) {
      return Error{ErrorCode::kInternal, "query has " + std::to_string(count) +
                                             " columns, but the batch has " +
                                             std::to_string(chunk.size()) + ": " + sql};
    }
    for (idx_t i = 0; i < count; ++i) {
      const duck::LogicalType type(duckdb_column_logical_type(result, i));
      PLIMSOLL_RETURN_IF_ERROR(duck::CheckType(chunk[i], type.get()));
    }
    return Ok();
  }

  Status FetchAll(duckdb_result* result, const std::string& sql, const BatchRef& chunk,
                  const std::function<Status()>& on_chunk) {
    while (const duck::DataChunk fetched{duckdb_fetch_chunk(*result)}) {
      const std::size_t count = duckdb_data_chunk_get_size(fetched.get());
      if (count == 0) continue;
      for (idx_t i = 0; i < chunk.size(); ++i) {
        PLIMSOLL_RETURN_IF_ERROR(
            duck::Decode(duckdb_data_chunk_get_vector(fetched.get(), i), count, chunk[i]));
      }
      PLIMSOLL_RETURN_IF_ERROR(on_chunk());
    }
    // A null chunk is the end, or an error in the middle.
    if (duckdb_result_error_type(result) == DUCKDB_ERROR_INVALID) return Ok();
    return Note(ErrorOf(result, name_, sql));
  }

  Status AppendRows(const std::string& table, const BatchRef& rows) {
    auto found = appenders_.find(table);
    if (found == appenders_.end()) {
      PLIMSOLL_TRY(duck::TableAppender opened,
                   duck::TableAppender::Open(file_.connection.get(), name_, table, rows));
      found = appenders_.emplace(table, std::move(opened)).first;
    }
    return found->second.Append(rows);
  }

  Status Flush() {
    for (auto& [table, appender] : appenders_) {
      PLIMSOLL_RETURN_IF_ERROR(Note(appender.Flush()));
    }
    return Ok();
  }

  std::string name_;  // in messages
  OpenFile file_;
  std::map<std::string, duck::TableAppender> appenders_;  // of the open transaction
  bool in_transaction_ = false;
  bool failed_ = false;  // a statement of the open transaction failed
  bool scanning_ = false;
  bool checkpoint_failed_ = false;  // its undo file must stay as it is
};

// What a file's pages do not get in memory they get on disk: a small limit keeps the program
// small. In memory there is nowhere to spill.
std::string MemoryLimitOf(const DuckDbOptions& options) {
  if (!options.memory_limit.empty()) return options.memory_limit;
  return options.path.empty() ? "1GB" : "256MB";
}

Result<duck::Config> ConfigOf(const DuckDbOptions& options) {
  duckdb_config raw = nullptr;
  duckdb_create_config(&raw);
  duck::Config config(raw);
  const std::string spill = options.path.empty() ? "" : options.path + ".tmp";
  const std::pair<const char*, std::string> settings[] = {
      {"memory_limit", MemoryLimitOf(options)},
      {"temp_directory", spill},
      // A database reads and writes its own files only, and loads no code.
      {"enable_external_access", "false"},
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      // Checkpoints are the store's, with an undo file; DuckDB makes none by itself.
      {"checkpoint_threshold", "1TB"},
      // Rows come back in the order they were written: the same input gives the same bytes.
      {"preserve_insertion_order", "true"},
      {"threads", options.threads > 0 ? std::to_string(options.threads) : ""},
  };
  for (const auto& [key, value] : settings) {
    if (value.empty() && std::string_view(key) == "threads") continue;
    if (duckdb_set_config(config.get(), key, value.c_str()) == DuckDBError) {
      return Error{ErrorCode::kInvalidArgument,
                   std::string("store setting ") + key + " cannot be '" + value + "'"};
    }
  }
  return config;
}

Result<std::unique_ptr<Store>> OpenAndMigrate(const DuckDbOptions& options) {
  OpenFile file;
  if (!options.path.empty()) {
    PLIMSOLL_TRY(duck::PathClaim claim, duck::PathClaim::Take(options.path));
    file.claim.emplace(std::move(claim));
    PLIMSOLL_TRY(duck::DatabaseFile database_file, duck::DatabaseFile::Open(options.path));
    file.file.emplace(std::move(database_file));
  }
  PLIMSOLL_TRY(const duck::Config config, ConfigOf(options));
  const char* path = options.path.empty() ? nullptr : options.path.c_str();
  duckdb_database database = nullptr;
  char* message = nullptr;
  const duckdb_state state = duckdb_open_ext(path, &database, config.get(), &message);
  file.database.reset(database);
  if (state == DuckDBError) {
    Error error = duck::OpenError(message == nullptr ? "" : message, options.path);
    duckdb_free(message);
    return error;
  }
  duckdb_connection connection = nullptr;
  if (duckdb_connect(database, &connection) == DuckDBError) {
    return Error{ErrorCode::kUnavailable, "cannot connect to database " + options.path};
  }
  file.connection.reset(connection);
  auto store = std::make_unique<DuckDbStore>(std::move(file),
                                             path == nullptr ? kInMemoryName : options.path);
  PLIMSOLL_RETURN_IF_ERROR(store->Execute("PRAGMA disable_checkpoint_on_shutdown", {}));
  PLIMSOLL_RETURN_IF_ERROR(Migrate(*store));
  return Result<std::unique_ptr<Store>>(std::move(store));
}

}  // namespace

Result<std::unique_ptr<Store>> OpenDuckDb(const DuckDbOptions& options) {
  if (!options.path.empty() && !duck::FileExists(options.path)) {
    PLIMSOLL_RETURN_IF_ERROR(
        duck::CreateWhole(options.path, [&](const std::string& unfinished) -> Status {
          DuckDbOptions create = options;
          create.path = unfinished;
          PLIMSOLL_TRY(const std::unique_ptr<Store> store, OpenAndMigrate(create));
          return store->Execute("CHECKPOINT", {});  // all of it into the file that gets the name
        }));
  }
  return OpenAndMigrate(options);
}

}  // namespace plimsoll
