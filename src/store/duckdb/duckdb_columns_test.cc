#include "store/duckdb/duckdb_columns.h"

#include <gtest/gtest.h>

#include "store/duckdb/duckdb_store.h"
#include "store/duckdb/every_type_batch_for_test.h"
#include "store/schema.h"

namespace plimsoll {
namespace {

TEST(DuckDbColumnsTest, EveryTypeHasTheSqlTypeOfItsTable) {
  EveryTypeBatch batch;
  std::string sql = "CREATE TABLE t (\n";
  for (const ColumnRef& column : RefTo(batch)) {
    const duck::LogicalType type = duck::TypeOf(column.type);
    const bool is_optional = std::string(column.name).starts_with("opt_");
    sql += "  " + std::string(column.name) + " " + duck::NameOf(type.get()) +
           (is_optional ? ",\n" : " NOT NULL,\n");
    const Status same = duck::CheckType(column, type.get());
    EXPECT_TRUE(same) << same.error().message;
  }
  sql.replace(sql.size() - 2, 2, "\n);\n");
  EXPECT_EQ(sql, CreateTableSql("t", RefTo(batch)));
}

TEST(DuckDbColumnsTest, TypesThatAreLaidOutDifferentlyAreRefusedByName) {
  EveryTypeBatch batch;
  const ColumnRef money{"cost", ColumnType::kMoney, &batch.money};
  const ColumnRef total{"cost", ColumnType::kMoneyTotal, &batch.total};
  const auto decimal = [](std::uint8_t width, std::uint8_t scale) {
    return duck::LogicalType(duckdb_create_decimal_type(width, scale));
  };
  EXPECT_TRUE(duck::CheckType(money, decimal(18, 9).get()));
  EXPECT_TRUE(duck::CheckType(money, decimal(12, 9).get()));  // the same eight bytes
  EXPECT_FALSE(duck::CheckType(money, decimal(9, 9).get()));
  EXPECT_FALSE(duck::CheckType(money, decimal(18, 6).get()));
  EXPECT_FALSE(duck::CheckType(money, decimal(38, 9).get()));
  EXPECT_FALSE(duck::CheckType(total, decimal(18, 9).get()));
  EXPECT_TRUE(duck::CheckType(total, decimal(38, 9).get()));
  const Status scale = duck::CheckType(money, decimal(18, 6).get());
  EXPECT_EQ(scale.error().message,
            "column cost is DECIMAL(18,6), but the batch's is DECIMAL(18,9)");
  const duck::LogicalType number(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  const duck::LogicalType eleven(duckdb_create_array_type(number.get(), 11));
  const Status length =
      duck::CheckType({"active", ColumnType::kTwelfths, &batch.twelfths}, eleven.get());
  EXPECT_EQ(length.error().message, "column active is BIGINT[11], but the batch's is BIGINT[12]");
}

class RoundTripTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = OpenDuckDb({});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    EveryTypeBatch columns;
    ASSERT_TRUE(store_->Execute(CreateTableSql("t", RefTo(columns)), {}));
  }
  std::unique_ptr<Store> store_;
};

TEST_F(RoundTripTest, RandomBatchesOfEveryTypeComeBackAsTheyWere) {
  for (std::uint64_t seed = 301; seed < 321; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomRows random(seed);
    // Sizes around whole chunks, where the last one is full, empty or one row.
    const std::uint64_t rows = seed % 4 == 0 ? 2'047 + random.Below(3) : random.Below(5'000);
    EveryTypeBatch batch;
    for (std::uint64_t i = 0; i < rows; ++i) random.AddTo(batch);
    ASSERT_TRUE(store_->Execute("DELETE FROM t", {}));
    const Status appended = Append(*store_, "t", batch);
    ASSERT_TRUE(appended) << appended.error().message;
    const auto back = Query<EveryTypeBatch>(*store_, "SELECT * FROM t");
    ASSERT_TRUE(back) << back.error().message;
    ASSERT_TRUE(*back == batch);
  }
}

TEST_F(RoundTripTest, AChunkBatchThatIsUsedAgainForgetsOldNulls) {
  EveryTypeBatch batch;
  RandomRows random(5);
  for (int i = 0; i < 3'000; ++i) random.AddTo(batch);
  for (auto& text : batch.opt_text) text.reset();
  ASSERT_TRUE(Append(*store_, "t", batch));
  for (auto& text : batch.opt_text) text = "set";
  ASSERT_TRUE(Append(*store_, "t", batch));
  const auto back = Query<EveryTypeBatch>(*store_, "SELECT * FROM t");
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_EQ(RowsOf(*back), 6'000u);
  for (std::size_t row = 0; row < 6'000; ++row) {
    ASSERT_EQ(back->opt_text[row].has_value(), row >= 3'000) << row;
  }
}

TEST_F(RoundTripTest, ValuesThatDoNotFitNameTheColumnAndWriteNothing) {
  constexpr int128 kTenTo19 = 10'000'000'000'000'000'000U;
  EveryTypeBatch batch;
  RandomRows random(6);
  for (int i = 0; i < 10; ++i) random.AddTo(batch);
  EveryTypeBatch too_much = batch;
  too_much.total[9] = {Money::FromNanos(kTenTo19 * kTenTo19)};
  const Status total = Append(*store_, "t", too_much);
  ASSERT_FALSE(total);
  EXPECT_EQ(total.error().code, ErrorCode::kOutOfRange);
  EXPECT_TRUE(total.error().message.starts_with("total ")) << total.error().message;
  too_much = batch;
  too_much.opt_money[9] = Money::Units(-1'000'000'000);
  EXPECT_EQ(Append(*store_, "t", too_much).error().code, ErrorCode::kOutOfRange);
  EveryTypeBatch not_text = batch;
  not_text.opt_text[9] = "\xC3(";
  const Status text = Append(*store_, "t", not_text);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kBadData);
  EXPECT_EQ(text.error().message, "opt_text is not UTF-8 text: \xEF\xBF\xBD(");
  const auto back = Query<EveryTypeBatch>(*store_, "SELECT * FROM t");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(RowsOf(*back), 0u);
}

TEST_F(RoundTripTest, ANullInsideTwelveValuesIsRefused) {
  std::vector<Twelfths> value;
  const BatchRef columns{{"value", ColumnType::kTwelfths, &value}};
  const auto scan = [&](const std::string& sql) {
    return store_->Stream(sql, {}, columns, [] { return Ok(); });
  };
  EXPECT_TRUE(scan("SELECT [1,2,3,4,5,6,7,8,9,10,11,12]::BIGINT[12]"));
  EXPECT_EQ(value.at(0)[11], 12);
  EXPECT_FALSE(scan("SELECT [1,2,3,4,5,6,7,8,9,10,11,NULL]::BIGINT[12]"));
  EXPECT_FALSE(scan("SELECT NULL::BIGINT[12]"));
}

}  // namespace
}  // namespace plimsoll
