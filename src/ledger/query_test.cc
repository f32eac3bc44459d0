#include "ledger/query.h"

#include <gtest/gtest.h>

#include <map>

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

// Whole days are answered from lines that are added up; naming the node forces the hourly ones.
TEST_F(QueryTest, LinesOfDaysAndOfHoursGiveTheSameAnswer) {
  const Instant begin = FloorTo(kTestHour, Days(1));
  const Window day{begin, begin + Days(1)};
  for (const LedgerField& field : LedgerFields()) {
    SCOPED_TRACE(field.name);
    const auto days = RunQuery(*store_, {day, {field.name}, "currency:USD"});
    ASSERT_TRUE(days) << days.error().message;
    const std::string of_hours = std::string(field.name) == "node" ? "hour" : "node";
    const auto hours = RunQuery(*store_, {day, {field.name, of_hours}, "currency:USD"});
    ASSERT_TRUE(hours) << hours.error().message;
    std::map<std::string, std::pair<Money, GpuHours>> sums;
    for (const LedgerRow& row : hours->rows) {
      sums[row.keys[0]].first += row.cost;
      sums[row.keys[0]].second += row.gpu_time;
    }
    ASSERT_EQ(days->rows.size(), sums.size());
    for (const LedgerRow& row : days->rows) {
      EXPECT_EQ(row.cost, sums[row.keys[0]].first) << row.keys[0];
      EXPECT_EQ(row.gpu_time, sums[row.keys[0]].second) << row.keys[0];
    }
  }
}

TEST_F(QueryTest, AFieldIsAskedForOnce) {
  const Window hour{kTestHour, kTestHour + Hours(1)};
  const auto refused = RunQuery(*store_, {hour, {"team", "class", "team"}, ""});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().message, "field 'team' is asked for twice: name each field once");
}

TEST(LedgerFieldsTest, OnlyWholeDaysWithoutNodesAndHoursAreAskedOfDays) {
  const Window day{AtSeconds(0), AtSeconds(86'400)};
  EXPECT_TRUE(AsksForDays(day, "SELECT coalesce(w.namespace, ''), w.reason, l.cost_class"));
  EXPECT_FALSE(AsksForDays(day, "SELECT coalesce(n.zone, '')"));
  EXPECT_FALSE(AsksForDays(day, "n.zone = ?"));
  EXPECT_FALSE(AsksForDays({AtSeconds(3'600), AtSeconds(86'400)}, "w.team"));
  EXPECT_FALSE(AsksForDays({AtSeconds(0), AtSeconds(90'000)}, "w.team"));
  for (const LedgerField& field : LedgerFields()) {
    const std::string name = field.name;
    const bool is_of_node = name == "cluster" || name == "node" || name == "instance_type" ||
                            name == "gpu_model" || name == "capacity_type" || name == "region" ||
                            name == "zone" || name == "sunk" || name == "hour";
    EXPECT_EQ(AsksForDays(day, SqlOf(field)), !is_of_node) << name;
  }
}

}  // namespace
}  // namespace plimsoll
