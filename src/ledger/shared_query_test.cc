#include "ledger/shared_query.h"

#include <gtest/gtest.h>

#include "ledger/tables.h"
#include "ledger/test_ledger.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

constexpr Window kHour{kTestHour, kTestHour + Hours(1)};
constexpr Window kThreeHours{kTestHour, kTestHour + Hours(3)};

class SharedQueryTest : public testing::Test {
 protected:
  // TestOutput's hour; in the next one team nlp holds all of node b for 6, and 30 is idle.
  void SetUp() override {
    auto opened = OpenDuckDb({});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
    AllocationOutput output = TestOutput();
    AddLine(output, {0, 1, 0, CostClass::kUsed, 60, 6, 0, 0});
    output.lines.hour.back() = kTestHour + Hours(1);
    AddLine(output, {0, 1, kNoId, CostClass::kReserve, 60, 30, 0, 0});
    output.lines.hour.back() = kTestHour + Hours(1);
    ASSERT_TRUE(PrepareLedgerTables(*store_));
    ASSERT_TRUE(store_->Begin());
    const Status written = WriteLedgerDay(*store_, 1, output);
    ASSERT_TRUE(written) << written.error().message;
    ASSERT_TRUE(store_->Commit());
  }

  static SharedQuery By(std::vector<std::string> by, Window window = kHour,
                        std::string filter = "currency:USD") {
    SharedQuery query;
    query.base = {window, std::move(by), std::move(filter)};
    return query;
  }

  SharedTable Ask(const SharedQuery& query) {
    auto table = RunSharedQuery(*store_, query);
    EXPECT_TRUE(table) << table.error().message;
    return table ? *std::move(table) : SharedTable{};
  }

  // "vision usage_unknown 42.000000000, ..."
  std::string Text(const SharedQuery& query) {
    std::string text;
    for (const SharedRow& row : Ask(query).rows) {
      text += text.empty() ? "" : ", ";
      if (!query.steps.empty()) text += std::to_string((row.step.base() / 3'600'000) % 24) + "h ";
      for (const std::string& key : row.row.keys) text += key + " ";
      text += row.cost_class + " " + row.row.cost.ToString();
    }
    return text;
  }

  Money Total(const SharedQuery& query) {
    Money total;
    for (const SharedRow& row : Ask(query).rows) total += row.row.cost;
    return total;
  }

  std::unique_ptr<Store> store_;
};

TEST_F(SharedQueryTest, WithoutAPolicyItSaysWhatTheQuerySays) {
  const std::vector<std::string> by{"node", "attribution", "class"};
  const auto plain = RunQuery(*store_, {kThreeHours, by, ""});
  ASSERT_TRUE(plain);
  const SharedTable table = Ask(By(by, kThreeHours, ""));
  EXPECT_EQ(table.by, plain->by);
  ASSERT_EQ(table.rows.size(), plain->rows.size());
  for (std::size_t i = 0; i < plain->rows.size(); ++i) {
    EXPECT_EQ(table.rows[i].row.keys, plain->rows[i].keys);
    EXPECT_EQ(table.rows[i].row.cost_by_kind, plain->rows[i].cost_by_kind);
    EXPECT_EQ(table.rows[i].row.gpu_time, plain->rows[i].gpu_time);
    EXPECT_EQ(table.rows[i].row.gpu_used, plain->rows[i].gpu_used);
  }
}

TEST_F(SharedQueryTest, IdleIsNeverInOneRowWithAWorkload) {
  EXPECT_EQ(Text(By({"team"}, kHour, "")),
            "vision USD usage_unknown 42.000000000, nlp USD mixed 22.000000000, "
            " USD waste 20.000000000,  EUR none 5.000000000");
  EXPECT_EQ(Text(By({"source"}, kThreeHours)), " mixed 70.000000000,  idle 50.000000000");
}

TEST_F(SharedQueryTest, SharedIdleGoesByClusterOrByNode) {
  SharedQuery query = By({"team"});
  query.idle = IdleSharing::kShare;
  EXPECT_EQ(Text(query), "vision usage_unknown 55.333333333, nlp mixed 28.666666667");
  const SharedTable table = Ask(query);
  EXPECT_EQ(table.rows[0].row.gpu_used, std::nullopt);  // idle time is no signal
  EXPECT_EQ(table.rows[1].row.gpu_used, GpuSeconds(1'800));
  EXPECT_EQ(table.rows[1].row.gpu_time, GpuSeconds(3'600 + 1'200));
  query.idle_by_node = true;
  EXPECT_EQ(Text(query), "vision usage_unknown 62.000000000, nlp mixed 22.000000000");
}

TEST_F(SharedQueryTest, EveryIdlePolicyHasOneTotal) {
  SharedQuery query = By({"team", "class"}, kThreeHours);
  const Money separate = Total(query);
  EXPECT_EQ(separate, Money::Units(120));
  query.idle = IdleSharing::kShare;
  EXPECT_EQ(Total(query), separate);
  query.idle_by_node = true;
  EXPECT_EQ(Total(query), separate);
  query.idle = IdleSharing::kHide;
  EXPECT_EQ(Total(query) + Ask(query).hidden.at("USD").cost, separate);
  EXPECT_EQ(Ask(query).hidden.at("USD").gpu_time, WholeGpuHours(2));
}

TEST_F(SharedQueryTest, SharedLinesGoToTheOthers) {
  SharedQuery query = By({"team"});
  query.share = {"workload:serve", "workload:nothing"};
  EXPECT_EQ(Text(query), "nlp mixed 64.000000000,  waste 20.000000000");
  EXPECT_EQ(Ask(query).rows[0].row.cost_by_kind[5], Money::Units(42));
  query.idle = IdleSharing::kShare;  // vision's part of the idle goes the same way
  EXPECT_EQ(Text(query), "nlp mixed 84.000000000");
  query.share = {"team!:\"\""};
  EXPECT_EQ(Text(query), " shared 84.000000000");
}

TEST_F(SharedQueryTest, SharedLinesAreDividedByCostEvenlyOrByGpuHours) {
  SharedQuery query = By({"workload"}, kThreeHours);
  query.idle = IdleSharing::kHide;
  query.share = {"class:unused"};  // 11 of train's cost; train has 17 and 1.5 h, serve 42 and 1 h
  EXPECT_EQ(Text(query), "serve usage_unknown 49.830508475, train used 20.169491525");
  query.split = SharedSplit::kEven;
  EXPECT_EQ(Text(query), "serve usage_unknown 47.500000000, train used 22.500000000");
  query.split = SharedSplit::kGpuHours;
  EXPECT_EQ(Text(query), "serve usage_unknown 46.400000000, train used 23.600000000");
  query.split = SharedSplit::kGpuHoursUsed;
  EXPECT_EQ(Text(query), "serve usage_unknown 42.000000000, train used 28.000000000");
}

TEST_F(SharedQueryTest, AFilterNeverChangesARow) {
  SharedQuery query = By({"team"}, kThreeHours);
  query.idle = IdleSharing::kShare;
  query.share = {"class:unused"};
  for (const SharedRow& row : Ask(query).rows) {
    SharedQuery one = query;
    one.base.filter = "currency:USD+team:\"" + row.row.keys[0] + "\"";
    const SharedTable filtered = Ask(one);
    ASSERT_EQ(filtered.rows.size(), 1u);
    EXPECT_EQ(filtered.rows[0].row.cost_by_kind, row.row.cost_by_kind);
    EXPECT_EQ(filtered.rows[0].row.gpu_time, row.row.gpu_time);
  }
}

TEST_F(SharedQueryTest, IdleIsDividedStepByStep) {
  SharedQuery query = By({"team"}, kThreeHours);
  query.idle = IdleSharing::kShare;
  // As one step: idle GPU cost 50 by 26:40.
  EXPECT_EQ(Text(query), "vision usage_unknown 72.303030303, nlp mixed 47.696969697");
  query.steps = {{kTestHour, kTestHour + Hours(1)},
                 {kTestHour + Hours(1), kTestHour + Hours(2)},
                 {kTestHour + Hours(2), kTestHour + Hours(3)}};
  const std::string hourly =
      "0h vision usage_unknown 55.333333333, 0h nlp mixed 28.666666667, 1h nlp used 36.000000000";
  EXPECT_EQ(Text(query), hourly);
  // Steps of unlike length, as days are where the clock changes.
  query.steps = {{kTestHour, kTestHour + Hours(1)}, {kTestHour + Hours(1), kThreeHours.until}};
  EXPECT_EQ(Text(query), hourly);
  query.steps = {{kTestHour, kTestHour + Hours(2)}, {kTestHour + Hours(2), kThreeHours.until}};
  EXPECT_EQ(Text(query), "0h vision usage_unknown 72.303030303, 0h nlp mixed 47.696969697");
}

TEST_F(SharedQueryTest, AStepLongerThanTheFirstTakesItsHours) {
  SharedQuery query = By({}, {kTestHour - Hours(1), kTestHour + Hours(2)});
  query.idle = IdleSharing::kHide;
  query.steps = {{kTestHour - Hours(1), kTestHour}, {kTestHour, kTestHour + Hours(2)}};
  EXPECT_EQ(Text(query), "0h mixed 70.000000000");
  query.steps = {{kTestHour - Hours(1), kTestHour + Hours(1)},
                 {kTestHour + Hours(1), kTestHour + Hours(2)}};
  EXPECT_EQ(Text(query), "23h mixed 64.000000000, 1h used 6.000000000");
}

TEST_F(SharedQueryTest, AccumulateAddsTheStepsUp) {
  SharedQuery query = By({"team"}, kThreeHours);
  query.idle = IdleSharing::kShare;
  query.accumulate = true;
  query.steps = {{kTestHour, kTestHour + Hours(1)}, {kTestHour + Hours(1), kThreeHours.until}};
  EXPECT_EQ(Text(query), "0h nlp mixed 64.666666667, 0h vision usage_unknown 55.333333333");
}

TEST_F(SharedQueryTest, BadQuestionsAreRefused) {
  SharedQuery query = By({"team"});
  query.share = {"taem:a"};
  EXPECT_EQ(RunSharedQuery(*store_, query).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(RunSharedQuery(*store_, By({"taem"})).error().code, ErrorCode::kInvalidArgument);
  const Window part{kTestHour, kTestHour + Minutes(90)};
  EXPECT_EQ(RunSharedQuery(*store_, By({}, part)).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace plimsoll
