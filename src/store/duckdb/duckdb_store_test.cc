#include "store/duckdb/duckdb_store.h"

#include <gtest/gtest.h>

#include "store/schema.h"

namespace plimsoll {
namespace {

struct AllocationBatch {
  std::vector<std::int64_t> workload_id;
  std::vector<GpuHours> gpu_time;
  std::vector<Money> effective_cost;

  static constexpr std::tuple kColumns{
      MakeColumn("workload_id", &AllocationBatch::workload_id),
      MakeColumn("gpu_time", &AllocationBatch::gpu_time),
      MakeColumn("effective_cost", &AllocationBatch::effective_cost),
  };
};

struct TotalBatch {
  std::vector<std::int64_t> workload_id;
  std::vector<MoneyTotal> effective_cost;

  static constexpr std::tuple kColumns{
      MakeColumn("workload_id", &TotalBatch::workload_id),
      MakeColumn("effective_cost", &TotalBatch::effective_cost),
  };
};

struct NumberBatch {
  std::vector<std::int64_t> value;
  static constexpr std::tuple kColumns{MakeColumn("value", &NumberBatch::value)};
};

struct TextBatch {
  std::vector<std::string> value;
  static constexpr std::tuple kColumns{MakeColumn("value", &TextBatch::value)};
};

class DuckDbStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = OpenDuckDb({});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    AllocationBatch columns;
    ASSERT_TRUE(store_->Execute(CreateTableSql("allocation", RefTo(columns)), {}));
  }

  std::int64_t Number(const std::string& sql, const SqlParams& params = {}) {
    const auto rows = Query<NumberBatch>(*store_, sql, params);
    EXPECT_TRUE(rows) << (rows ? "" : rows.error().message);
    return rows && !rows->value.empty() ? rows->value[0] : -1;
  }
  std::int64_t Stored() { return Number("SELECT count(*) FROM allocation"); }

  std::unique_ptr<Store> store_;
};

AllocationBatch Rows(std::int64_t count) {
  AllocationBatch batch;
  for (std::int64_t i = 0; i < count; ++i) {
    batch.workload_id.push_back(i % 100);
    batch.gpu_time.push_back(GpuSeconds(i));
    batch.effective_cost.push_back(Money::FromNanos(int128{i} * (i % 2 == 1 ? 1 : -3) * 1'007));
  }
  return batch;
}

TEST_F(DuckDbStoreTest, BatchSurvivesTheRoundTripExactlyAndInOrder) {
  const AllocationBatch batch = Rows(300'000);
  const Status appended = Append(*store_, "allocation", batch);
  ASSERT_TRUE(appended) << appended.error().message;
  const auto back = Query<AllocationBatch>(*store_, "SELECT * FROM allocation");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->workload_id, batch.workload_id);
  EXPECT_EQ(back->gpu_time, batch.gpu_time);
  EXPECT_EQ(back->effective_cost, batch.effective_cost);

  const auto sums = Query<TotalBatch>(
      *store_, "SELECT workload_id, sum(effective_cost) FROM allocation GROUP BY ALL");
  ASSERT_TRUE(sums) << sums.error().message;
  Money total;
  Money expected;
  for (const MoneyTotal m : sums->effective_cost) total += m.value;
  for (const Money m : batch.effective_cost) expected += m;
  EXPECT_EQ(total, expected);
}

TEST_F(DuckDbStoreTest, RefusesColumnsThatTheBatchDoesNotHave) {
  ASSERT_TRUE(Append(*store_, "allocation", Rows(3)));
  const auto as_double = Query<AllocationBatch>(
      *store_, "SELECT workload_id, gpu_time, effective_cost::DOUBLE FROM allocation");
  ASSERT_FALSE(as_double);
  EXPECT_EQ(as_double.error().code, ErrorCode::kInternal);
  EXPECT_EQ(as_double.error().message,
            "column effective_cost is DOUBLE, but the batch's is DECIMAL(18,9); SQL may add money "
            "but never divide or average it");
  const auto average = Query<TotalBatch>(
      *store_, "SELECT workload_id, avg(effective_cost) FROM allocation GROUP BY ALL");
  EXPECT_FALSE(average);
  const auto wide = Query<NumberBatch>(*store_, "SELECT sum(workload_id) FROM allocation");
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().message,
            "column value is HUGEINT, but the batch's is BIGINT; SUM of BIGINT is HUGEINT: cast "
            "it back");
  EXPECT_EQ(Number("SELECT sum(workload_id)::BIGINT FROM allocation"), 3);
  const auto more = Query<NumberBatch>(*store_, "SELECT 1::BIGINT, 2::BIGINT");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().message,
            "query has 2 columns, but the batch has 1: SELECT 1::BIGINT, 2::BIGINT");
}

TEST_F(DuckDbStoreTest, RefusesARowOfAThousandMillion) {
  AllocationBatch batch{{1}, {GpuSeconds(1)}, {Money::Units(1'000'000'000)}};
  const Status appended = Append(*store_, "allocation", batch);
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().code, ErrorCode::kOutOfRange);
  EXPECT_EQ(appended.error().message,
            "effective_cost 1000000000.000000000 does not fit DECIMAL(18,9): one row holds less "
            "than 10^9 units");
  EXPECT_EQ(Stored(), 0);
  batch.effective_cost[0] = Money::Units(1'000'000'000) - Money::FromNanos(1);
  EXPECT_TRUE(Append(*store_, "allocation", batch));
  batch.effective_cost[0] = -batch.effective_cost[0];
  EXPECT_TRUE(Append(*store_, "allocation", batch));
}

TEST_F(DuckDbStoreTest, RefusesANullWhereTheBatchHasNone) {
  const auto rows = Query<NumberBatch>(*store_, "SELECT max(workload_id) FROM allocation");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().message, "column value holds a null, but the batch's cannot");
}

TEST_F(DuckDbStoreTest, ParametersKeepTheirValues) {
  const auto texts = Query<TextBatch>(*store_, "SELECT ?::VARCHAR || ?::VARCHAR",
                                      {std::string("it's; \"quoted\" \xC3\xA9 "), std::string()});
  ASSERT_TRUE(texts) << texts.error().message;
  EXPECT_EQ(texts->value[0], "it's; \"quoted\" \xC3\xA9 ");
  EXPECT_EQ(Number("SELECT ?::BIGINT", {AtMillis(-5)}), -5);
  EXPECT_EQ(Number("SELECT ?::BIGINT + ?::BIGINT", {std::int64_t{2}, std::int64_t{40}}), 42);
  EXPECT_EQ(Number("SELECT coalesce(?::BIGINT, 7)", {std::monostate{}}), 7);
  const auto missing = Query<NumberBatch>(*store_, "SELECT ?::BIGINT");
  ASSERT_FALSE(missing);
  const auto bad = Query<TextBatch>(*store_, "SELECT ?::VARCHAR", {std::string("\xFF")});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kInvalidArgument);
}

TEST_F(DuckDbStoreTest, RollbackTakesEveryAppendBack) {
  ASSERT_TRUE(store_->Begin());
  ASSERT_TRUE(Append(*store_, "allocation", Rows(10)));
  EXPECT_EQ(Stored(), 10);  // visible inside
  ASSERT_TRUE(Append(*store_, "allocation", Rows(5)));
  ASSERT_TRUE(store_->Rollback());
  EXPECT_EQ(Stored(), 0);
  ASSERT_TRUE(store_->Begin());
  ASSERT_TRUE(Append(*store_, "allocation", Rows(7)));
  ASSERT_TRUE(store_->Commit());
  EXPECT_EQ(Stored(), 7);
}

TEST_F(DuckDbStoreTest, TransactionsAreNotNestedAndNotImplied) {
  EXPECT_EQ(store_->Commit().error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(store_->Rollback().error().code, ErrorCode::kFailedPrecondition);
  ASSERT_TRUE(store_->Begin());
  EXPECT_EQ(store_->Begin().error().code, ErrorCode::kFailedPrecondition);
  EXPECT_TRUE(store_->Rollback());
}

TEST_F(DuckDbStoreTest, ATransactionWithAFailedStatementCannotBeCommitted) {
  ASSERT_TRUE(store_->Begin());
  ASSERT_TRUE(Append(*store_, "allocation", Rows(3)));
  EXPECT_FALSE(store_->Execute("INSERT INTO nowhere VALUES (1)", {}));
  const Status committed = store_->Commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(Stored(), 0);
  EXPECT_TRUE(store_->Begin());
  EXPECT_TRUE(store_->Rollback());
}

TEST_F(DuckDbStoreTest, AScanCanBeStoppedAndTheStoreStaysUsable) {
  ASSERT_TRUE(Append(*store_, "allocation", Rows(100'000)));
  AllocationBatch chunk;
  int calls = 0;
  const Status stopped =
      store_->Stream("SELECT * FROM allocation", {}, RefTo(chunk), [&]() -> Status {
        ++calls;
        return Error{ErrorCode::kOutOfRange, "enough"};
      });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "enough");
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(Stored(), 100'000);
}

TEST_F(DuckDbStoreTest, AScanRefusesOtherStatementsInsteadOfLosingRows) {
  ASSERT_TRUE(Append(*store_, "allocation", Rows(10)));
  AllocationBatch chunk;
  const Status scanned = store_->Stream("SELECT * FROM allocation", {}, RefTo(chunk),
                                        [&] { return Append(*store_, "allocation", Rows(1)); });
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().code, ErrorCode::kInternal);
  EXPECT_EQ(Stored(), 10);
}

TEST_F(DuckDbStoreTest, AnErrorInTheMiddleOfAScanIsReported) {
  const Status scanned = [&] {
    NumberBatch chunk;
    return store_->Stream(
        "SELECT CASE WHEN range = 500000 THEN error('broken') ELSE range END FROM range(1000000)",
        {}, RefTo(chunk), [] { return Ok(); });
  }();
  ASSERT_FALSE(scanned);
  EXPECT_NE(scanned.error().message.find("broken"), std::string::npos);
}

TEST_F(DuckDbStoreTest, AppendRefusesAnotherTablesColumns) {
  const Status swapped = Append(*store_, "allocation", TotalBatch{});
  ASSERT_FALSE(swapped);
  EXPECT_EQ(swapped.error().message, "table allocation has 3 columns, but the batch has 2");
  EXPECT_FALSE(Append(*store_, "missing", Rows(1)));
  AllocationBatch ragged = Rows(2);
  ragged.gpu_time.pop_back();
  const Status uneven = Append(*store_, "allocation", ragged);
  ASSERT_FALSE(uneven);
  EXPECT_EQ(uneven.error().message, "column gpu_time has 1 rows, but workload_id has 2");
}

TEST_F(DuckDbStoreTest, ABrokenStatementNamesItself) {
  const Status status = store_->Execute("SELEKT 1", {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInternal);
  EXPECT_NE(status.error().message.find("SELEKT 1"), std::string::npos);
}

// Why SQL may add money but never divide it.
TEST_F(DuckDbStoreTest, DecimalDivisionAndAverageAreDouble) {
  const auto types = Query<TextBatch>(
      *store_,
      "SELECT typeof(1::DECIMAL(18,9) / 2) UNION ALL SELECT typeof(avg(1::DECIMAL(18,9))) "
      "UNION ALL SELECT typeof(sum(1::DECIMAL(18,9)))");
  ASSERT_TRUE(types) << types.error().message;
  EXPECT_EQ(types->value, (std::vector<std::string>{"DOUBLE", "DOUBLE", "DECIMAL(38,9)"}));
}

}  // namespace
}  // namespace plimsoll
