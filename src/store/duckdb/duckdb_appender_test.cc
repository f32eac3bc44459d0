#include "store/duckdb/duckdb_appender.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace plimsoll::duck {
namespace {

struct PairBatch {
  std::vector<std::int64_t> a;
  std::vector<std::string> b;
  static constexpr std::tuple kColumns{MakeColumn("a", &PairBatch::a),
                                       MakeColumn("b", &PairBatch::b)};
};

class DuckDbAppenderTest : public testing::Test {
 protected:
  void SetUp() override {
    duckdb_database database = nullptr;
    ASSERT_NE(duckdb_open(nullptr, &database), DuckDBError);
    database_.reset(database);
    duckdb_connection connection = nullptr;
    ASSERT_NE(duckdb_connect(database, &connection), DuckDBError);
    connection_.reset(connection);
    Run("CREATE TABLE \"odd \"\"name\" (a BIGINT NOT NULL, b VARCHAR)");
    Run("CREATE TABLE pair (a BIGINT NOT NULL, b VARCHAR CHECK (b <> 'never'))");
  }
  void Run(const std::string& sql) {
    QueryResult result;
    ASSERT_NE(duckdb_query(connection_.get(), sql.c_str(), result.get()), DuckDBError)
        << duckdb_result_error(result.get());
  }
  std::int64_t RowsOfPair() {
    QueryResult result;
    duckdb_query(connection_.get(), "SELECT count(*) FROM pair", result.get());
    const DataChunk chunk(duckdb_fetch_chunk(*result.get()));
    return *static_cast<std::int64_t*>(
        duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk.get(), 0)));
  }
  Result<TableAppender> Open(const std::string& table, const BatchRef& columns) {
    return TableAppender::Open(connection_.get(), "x.db", table, columns);
  }

  Database database_;
  Connection connection_;
};

TEST_F(DuckDbAppenderTest, RowsAreVisibleAfterAFlushAndAtTheLatestAfterABatch) {
  PairBatch batch{{1, 2}, {"x", "y"}};
  auto appender = Open("pair", RefTo(batch));
  ASSERT_TRUE(appender) << appender.error().message;
  ASSERT_TRUE(appender->Append(RefTo(batch)));
  EXPECT_EQ(RowsOfPair(), 0);
  ASSERT_TRUE(appender->Flush());
  EXPECT_EQ(RowsOfPair(), 2);
  batch.a.assign(kBatchRows, 7);
  batch.b.assign(kBatchRows, "z");
  ASSERT_TRUE(appender->Append(RefTo(batch)));
  EXPECT_EQ(RowsOfPair(), 2 + static_cast<std::int64_t>(kBatchRows));
}

TEST_F(DuckDbAppenderTest, RefusesATableWithOtherNamesTypesOrNoTable) {
  PairBatch batch;
  std::vector<std::int64_t> numbers;
  EXPECT_EQ(Open("missing", RefTo(batch)).error().code, ErrorCode::kInternal);
  EXPECT_TRUE(Open("odd \"name", RefTo(batch)));
  const auto renamed =
      Open("pair", {{"a", ColumnType::kInt64, &batch.a}, {"c", ColumnType::kText, &batch.b}});
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.error().message, "column 2 of table pair is b, but the batch's is c");
  const auto retyped =
      Open("pair", {{"a", ColumnType::kInt64, &batch.a}, {"b", ColumnType::kInt64, &numbers}});
  ASSERT_FALSE(retyped);
  EXPECT_EQ(retyped.error().message, "column b is VARCHAR, but the batch's is BIGINT");
}

TEST_F(DuckDbAppenderTest, RefusesAnotherBatchThanItWasOpenedWith) {
  PairBatch batch{{1}, {"x"}};
  auto appender = Open("pair", RefTo(batch));
  ASSERT_TRUE(appender) << appender.error().message;
  EXPECT_FALSE(appender->Append({{"a", ColumnType::kInt64, &batch.a}}));
  EXPECT_FALSE(appender->Append(
      {{"a", ColumnType::kInt64, &batch.a}, {"other", ColumnType::kText, &batch.b}}));
  batch.b.emplace_back("y");
  EXPECT_FALSE(appender->Append(RefTo(batch)));
}

TEST_F(DuckDbAppenderTest, AConstraintThatFailsIsReportedByTheFlush) {
  PairBatch batch{{1}, {"never"}};
  auto appender = Open("pair", RefTo(batch));
  ASSERT_TRUE(appender) << appender.error().message;
  ASSERT_TRUE(appender->Append(RefTo(batch)));
  const Status flushed = appender->Flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().code, ErrorCode::kInternal);
  EXPECT_NE(flushed.error().message.find("pair"), std::string::npos) << flushed.error().message;
}

}  // namespace
}  // namespace plimsoll::duck
