#include "ingest/runs/mlflow_sqlite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

// The tables of MLflow's tracking store (mlflow/store/tracking/dbmodels/models.py), as far as
// they are read.
constexpr const char* kTables = R"(
  CREATE TABLE experiments (experiment_id INTEGER PRIMARY KEY, name TEXT, lifecycle_stage TEXT);
  CREATE TABLE runs (run_uuid TEXT PRIMARY KEY, name TEXT, status TEXT, start_time BIGINT,
    end_time BIGINT, lifecycle_stage TEXT, experiment_id INTEGER);
  CREATE TABLE metrics (key TEXT, value DOUBLE NOT NULL, timestamp BIGINT NOT NULL, run_uuid TEXT,
    step BIGINT NOT NULL DEFAULT 0, is_nan BOOLEAN NOT NULL DEFAULT 0);
  CREATE TABLE latest_metrics (key TEXT, value DOUBLE, timestamp BIGINT, run_uuid TEXT,
    step BIGINT, is_nan BOOLEAN);
  CREATE TABLE params (key TEXT, value TEXT, run_uuid TEXT);
  CREATE TABLE tags (key TEXT, value TEXT, run_uuid TEXT);)";

std::string Database(const TestFolder& folder, const std::string& sql,
                     const std::string& name = "ml flow?#%.db") {
  const std::string path = folder.Path(name);
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  sqlite3_close(database);
  return path;
}

TEST(MlflowSqliteTest, RunsAreReadWithMetricsParamsAndTags) {
  const TestFolder folder("sqlite");
  const std::string path = Database(folder, std::string(kTables) + R"(
    INSERT INTO experiments VALUES (1, 'baseline', 'active');
    INSERT INTO runs VALUES ('r', 'lively-owl', 'FINISHED', 1796068800000, 1796068860000,
      'active', 1);
    INSERT INTO runs VALUES ('gone', 'x', 'FINISHED', 1796068800000, NULL, 'deleted', 1);
    INSERT INTO params VALUES ('lr', '0.1', 'r');
    INSERT INTO tags VALUES ('plimsoll.gpus', '8', 'r');
    INSERT INTO metrics VALUES ('loss', 0.1, 1796068801000, 'r', 1, 0);
    INSERT INTO metrics VALUES ('loss', 0, 1796068802000, 'r', 2, 1);
    INSERT INTO metrics VALUES ('loss', 1.7976931348623157e308, 1796068803000, 'r', 3, 0);
    INSERT INTO metrics VALUES ('loss', -1.7976931348623157e308, 1796068804000, 'r', 4, 0);
    INSERT INTO metrics VALUES ('loss', 5, 1796068805000, 'gone', 5, 0);)");
  RunFacts facts;
  const Status read = ReadMlflowSqlite(path, facts);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(facts.runs.run, Texts{"r"});
  EXPECT_EQ(facts.runs.experiment[0], "baseline");
  EXPECT_EQ(facts.runs.labels[0], R"({"lr":"0.1","plimsoll.gpus":"8"})");
  EXPECT_EQ(EventTexts(facts.events),
            (Texts{"r#0 2026-11-30T20:00:00Z start 8g", "r#0 2026-11-30T20:01:00Z stop completed",
                   "r#0 2026-11-30T20:00:01Z metric 1 loss=0.1",
                   "r#0 2026-11-30T20:00:02Z metric 2 loss=nan",
                   "r#0 2026-11-30T20:00:03Z metric 3 loss=inf",
                   "r#0 2026-11-30T20:00:04Z metric 4 loss=-inf"}));
  EXPECT_EQ(facts.passed.at("runs that were deleted in MLflow"), 1);
  EXPECT_TRUE(facts.rejections.empty());
}

TEST(MlflowSqliteTest, ValuesOfAnotherTypeAreRefused) {
  const TestFolder folder("sqlite_types");
  const std::string path = Database(folder, std::string(kTables) + R"(
    INSERT INTO runs VALUES ('r', NULL, NULL, 'soon', x'00ff', NULL, 7);
    INSERT INTO metrics VALUES ('loss', 'low', 1796068801000, 'r', 1, 0);
    INSERT INTO metrics VALUES (x'ff', 1, 'now', 'r', 1, 0);
    INSERT INTO metrics VALUES ('loss', 1, 1796068801000, 'r', 'x', 0);)");
  RunFacts facts;
  ASSERT_TRUE(ReadMlflowSqlite(path, facts).has_value());
  EXPECT_EQ(RowsOf(facts.runs), 1U);
  EXPECT_EQ(RowsOf(facts.events), 0U);
  ASSERT_EQ(facts.rejections.size(), 3U);
  EXPECT_EQ(facts.rejections[0].field, "metrics.loss");
  EXPECT_EQ(facts.rejections[0].raw, "run r");
}

TEST(MlflowSqliteTest, AnotherDatabaseIsRefused) {
  const TestFolder folder("sqlite_other");
  for (const char* sql : {"CREATE TABLE runs (id)",
                          // A view is no table: what it would run is not ours to run.
                          "CREATE TABLE experiments (a); CREATE TABLE metrics (a);"
                          "CREATE TABLE params (a); CREATE TABLE tags (a);"
                          "CREATE VIEW runs AS SELECT 1"}) {
    std::filesystem::remove(folder.Path("o.db"));
    RunFacts facts;
    const Status read = ReadMlflowSqlite(Database(folder, sql, "o.db"), facts);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::kBadData);
    EXPECT_NE(read.error().message.find("not MLflow's"), std::string::npos);
  }
}

TEST(MlflowSqliteTest, ADamagedDatabaseLeavesNothingBehind) {
  const TestFolder folder("sqlite_damaged");
  std::string sql =
      std::string(kTables) +
      "INSERT INTO runs VALUES ('r', 'n', 'RUNNING', 1796068800000, NULL, 'active', 1);";
  for (int i = 0; i < 2000; ++i) {
    sql += "INSERT INTO metrics VALUES ('loss', 0.5, 1796068801000, 'r', " + std::to_string(i) +
           ", 0);";
  }
  const std::string path = Database(folder, "BEGIN;" + sql + "COMMIT;", "d.db");
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  RunFacts facts;
  const Status read = ReadMlflowSqlite(path, facts);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::kBadData);
  EXPECT_EQ(RowsOf(facts.runs), 0U);
  EXPECT_EQ(RowsOf(facts.events), 0U);
}

TEST(MlflowSqliteTest, TheFileIsNotTouchedAndAWriteAheadLogIsTold) {
  const TestFolder folder("sqlite_wal");
  const std::string path = Database(folder, kTables, "w.db");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  folder.Write("w.db-wal", "x");
  const auto before = std::filesystem::last_write_time(path);
  RunFacts facts;
  ASSERT_TRUE(ReadMlflowSqlite(path, facts).has_value());
  EXPECT_EQ(facts.warnings.size(), 1U);
  EXPECT_EQ(std::filesystem::last_write_time(path), before);
  EXPECT_FALSE(std::filesystem::exists(folder.Path("w.db-shm")));
  RunFacts missing;
  EXPECT_EQ(ReadMlflowSqlite(folder.Path("no.db"), missing).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace plimsoll
