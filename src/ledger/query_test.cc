#include "ledger/query.h"

#include <gtest/gtest.h>

#include "ledger/tables.h"
#include "ledger/test_ledger.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

class QueryTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = OpenDuckDb({});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    ASSERT_TRUE(PrepareLedgerTables(*store_));
    ASSERT_TRUE(store_->Begin());
    const Status written = WriteLedgerDay(*store_, 1, TestOutput());
    ASSERT_TRUE(written) << written.error().message;
    ASSERT_TRUE(store_->Commit());
  }

  LedgerTable Ask(std::vector<std::string> by, std::string filter) {
    auto table =
        RunQuery(*store_, {{kTestHour, kTestHour + Hours(1)}, std::move(by), std::move(filter)});
    EXPECT_TRUE(table) << table.error().message;
    return table ? *std::move(table) : LedgerTable{};
  }

  std::unique_ptr<Store> store_;
};

TEST_F(QueryTest, CurrenciesAreNeverAdded) {
  const LedgerTable table = Ask({"team"}, "");
  EXPECT_EQ(table.by, (std::vector<std::string>{"team", "currency"}));
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0].keys, (std::vector<std::string>{"vision", "USD"}));
  EXPECT_EQ(table.rows[0].cost, Money::Units(42));
  EXPECT_EQ(table.rows[3].keys, (std::vector<std::string>{"", "EUR"}));
  EXPECT_EQ(table.rows[3].cost_by_kind[6], Money::Units(5));
}

TEST_F(QueryTest, OneCurrencyNeedsNoKey) {
  const LedgerTable table = Ask({"team"}, "currency:USD");
  EXPECT_EQ(table.by, (std::vector<std::string>{"team"}));
  EXPECT_EQ(table.rows.size(), 3u);
}

TEST_F(QueryTest, UsedIsNullWithoutASignalAndZeroWithoutUse) {
  const LedgerTable table = Ask({"attribution"}, "currency:USD");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].keys[0], "vision");
  EXPECT_EQ(table.rows[0].gpu_used, std::nullopt);
  EXPECT_EQ(table.rows[1].keys[0], "nlp");
  EXPECT_EQ(table.rows[1].gpu_used, GpuSeconds(1'800));
  EXPECT_EQ(table.rows[1].gpu_time, WholeGpuHours(1));
  EXPECT_EQ(table.rows[2].keys[0], "idle: waste");
  EXPECT_EQ(table.rows[2].gpu_used, GpuHours());
}

TEST_F(QueryTest, AFilterNeverChangesWhatARowSays) {
  const LedgerTable all = Ask({"node", "class"}, "");
  Money filtered;
  for (const char* name : {"a", "b", ""}) {
    for (const LedgerRow& row : Ask({"class"}, "node:\"" + std::string(name) + "\"").rows) {
      filtered += row.cost;
    }
  }
  Money total;
  for (const LedgerRow& row : all.rows) total += row.cost;
  EXPECT_EQ(filtered, total);
}

TEST_F(QueryTest, RefusesPartHoursAndUnknownFields) {
  const auto part = RunQuery(*store_, {{kTestHour, kTestHour + Minutes(90)}, {}, ""});
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(RunQuery(*store_, {{kTestHour, kTestHour + Hours(1)}, {"pod"}, ""}));
}

TEST_F(QueryTest, EveryFieldCanBeGroupedBy) {
  for (const LedgerField& field : LedgerFields()) {
    const LedgerTable table = Ask({field.name}, "");
    Money total;
    for (const LedgerRow& row : table.rows) total += row.cost;
    EXPECT_EQ(total, Money::Units(89)) << field.name;
  }
}

TEST_F(QueryTest, ADayReplacesItself) {
  ASSERT_TRUE(store_->Begin());
  ASSERT_TRUE(DeleteLedgerDay(*store_, 1));
  ASSERT_TRUE(WriteLedgerDay(*store_, 1, TestOutput()));
  ASSERT_TRUE(store_->Commit());
  ASSERT_TRUE(PrepareLedgerTables(*store_));
  EXPECT_EQ(Ask({}, "currency:USD").rows[0].cost, Money::Units(84));
}

}  // namespace
}  // namespace plimsoll
