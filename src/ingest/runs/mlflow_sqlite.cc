#include "ingest/runs/mlflow_sqlite.h"

#include <sqlite3.h>

#include <bit>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "ingest/runs/ieee_text.h"
#include "ingest/runs/mlflow_run.h"
#include "ingest/runs/number_text.h"

namespace plimsoll {
namespace {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct EndStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

// MLflow stores an infinity as the greatest number of its sign (mlflow/store/tracking).
constexpr std::string_view kGreatest = "1.7976931348623157e+308";

// The path as an URI's, in which some characters mean something else.
std::string UriOf(const std::string& path) {
  std::string uri = "file:";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

// One row of a query's result, column by column as text.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}

  // "" for null. A number becomes the decimal of ieee_text.h.
  std::string Text(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_FLOAT) {
      return Ieee64Text(std::bit_cast<std::uint64_t>(sqlite3_column_double(statement_, column)));
    }
    const unsigned char* text = sqlite3_column_text(statement_, column);
    if (text == nullptr) return "";
    return {std::bit_cast<const char*>(text),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  sqlite3_stmt* statement_;
};

class Database {
 public:
  static Result<Database> Open(const std::string& path) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(UriOf(path).c_str(), &opened,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
    Database database(path, opened);
    if (code != SQLITE_OK) return database.Failure(ErrorCode::kUnavailable);
    // The file is another's: its schema may not run anything.
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    return database;
  }

  template <class OnRow>
  Status Each(const std::string& sql, const OnRow& on_row) {
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v2(handle_.get(), sql.c_str(), static_cast<int>(sql.size()),
                                        &prepared, nullptr);
    const std::unique_ptr<sqlite3_stmt, EndStatement> statement(prepared);
    if (code != SQLITE_OK) return Failure(ErrorCode::kBadData);
    for (;;) {
      const int step = sqlite3_step(prepared);
      if (step == SQLITE_DONE) return Ok();
      if (step != SQLITE_ROW) return Failure(ErrorCode::kBadData);
      on_row(Row(prepared));
    }
  }

  Error Failure(ErrorCode code) const {
    return {code, path_ + ": " + (handle_ ? sqlite3_errmsg(handle_.get()) : "no memory")};
  }

 private:
  Database(std::string path, sqlite3* handle) : path_(std::move(path)), handle_(handle) {}

  std::string path_;
  std::unique_ptr<sqlite3, CloseDatabase> handle_;
};

class MlflowReader {
 public:
  MlflowReader(const std::string& path, Database& database, RunFacts& facts)
      : path_(path), database_(database), facts_(facts) {}

  Status Read() {
    std::set<std::string> tables;
    PLIMSOLL_RETURN_IF_ERROR(database_.Each("SELECT name FROM sqlite_master WHERE type = 'table'",
                                            [&](const Row& row) { tables.insert(row.Text(0)); }));
    for (const char* table : {"experiments", "runs", "metrics", "params", "tags"}) {
      if (!tables.contains(table)) {
        return Error{ErrorCode::kBadData, path_ +
                                              ": is an SQLite database but not MLflow's: it "
                                              "has no table " +
                                              table};
      }
    }
    PLIMSOLL_RETURN_IF_ERROR(ReadRuns());
    PLIMSOLL_RETURN_IF_ERROR(ReadPairs("params", &MlflowRun::params));
    PLIMSOLL_RETURN_IF_ERROR(ReadPairs("tags", &MlflowRun::tags));
    for (const auto& [id, run] : runs_) AppendMlflowRun(run, facts_);
    return ReadMetrics();
  }

 private:
  Status ReadRuns() {
    return database_.Each(
        "SELECT r.run_uuid, e.name, r.name, r.status, r.start_time, r.end_time, "
        "r.lifecycle_stage FROM runs r LEFT JOIN experiments e "
        "ON e.experiment_id = r.experiment_id",
        [&](const Row& row) {
          if (row.Text(6) == "deleted") {
            ++facts_.passed["runs that were deleted in MLflow"];
            return;
          }
          MlflowRun& run = runs_[row.Text(0)];
          run.file = path_;
          run.run = row.Text(0);
          run.experiment = row.Text(1);
          run.name = row.Text(2);
          run.status = row.Text(3);
          run.began = EpochMillis(row.Text(4));
          run.ended = EpochMillis(row.Text(5));
        });
  }

  Status ReadPairs(const std::string& table, std::map<std::string, std::string> MlflowRun::*pairs) {
    return database_.Each("SELECT run_uuid, key, value FROM " + table, [&](const Row& row) {
      const auto found = runs_.find(row.Text(0));
      if (found != runs_.end()) (found->second.*pairs)[row.Text(1)] = row.Text(2);
    });
  }

  Status ReadMetrics() {
    return database_.Each(
        "SELECT run_uuid, key, timestamp, value, step, is_nan FROM metrics", [&](const Row& row) {
          const std::string run = row.Text(0);
          if (!runs_.contains(run)) return;
          const std::string name = row.Text(1);
          const std::string millis = row.Text(2);
          const std::string step = row.Text(4);
          std::string value = row.Text(3);
          if (row.Text(5) == "1") value = "nan";
          if (value == kGreatest) value = "inf";
          if (value.size() == kGreatest.size() + 1 && value.ends_with(kGreatest)) value = "-inf";
          const auto wrong = AppendMlflowMetric(run, {name, millis, value, step}, facts_);
          if (!wrong) return;
          facts_.rejections.push_back(
              {path_, 0, "metrics." + RunText(name), *wrong, "", "run " + RunText(run)});
        });
  }

  const std::string& path_;
  Database& database_;
  RunFacts& facts_;
  std::map<std::string, MlflowRun> runs_;
};

}  // namespace

bool IsSqliteFile(std::string_view head) {
  return head.starts_with(std::string_view("SQLite format 3\0", 16));
}

Status ReadMlflowSqlite(const std::string& path, RunFacts& facts) {
  PLIMSOLL_TRY(Database database, Database::Open(path));
  RunFacts read;
  PLIMSOLL_RETURN_IF_ERROR(MlflowReader(path, database, read).Read());
  std::error_code failure;
  if (const auto waiting = std::filesystem::file_size(path + "-wal", failure);
      !failure && waiting > 0) {
    read.warnings.insert(path +
                         ": what its write-ahead log (-wal) holds is not read; stop MLflow, "
                         "or run 'PRAGMA wal_checkpoint' in it, to have all");
  }
  AppendFacts(facts, read);
  return Ok();
}

}  // namespace plimsoll
