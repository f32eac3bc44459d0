#include "store/snapshot.h"

#include <gtest/gtest.h>

#include <functional>

#include "model/charge.h"
#include "model/fleet.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

constexpr Instant kDay1 = AtSeconds(1'725'148'800);  // 2024-09-01
const SnapshotKey kBill{"charge", "Amazon Web Services|1234|USD", MonthOf(kDay1)};
const SnapshotKey kCluster{"kubernetes", "prod", {}};

struct NumberBatch {
  std::vector<std::int64_t> value;
  static constexpr std::tuple kColumns{MakeColumn("value", &NumberBatch::value)};
};

// One row of default values, to be filled in by the caller.
template <class Batch>
void AddRow(Batch& batch, std::int64_t snapshot_id) {
  std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
             Batch::kColumns);
  batch.snapshot_id.back() = snapshot_id;
}

struct Cost {
  int day = 0;  // of September 2024, from 0
  std::int64_t nanos = 0;
  const char* tag = "";
};
ChargeBatch Charges(std::int64_t snapshot_id, const std::vector<Cost>& costs) {
  ChargeBatch batch;
  for (const Cost& cost : costs) {
    AddRow(batch, snapshot_id);
    batch.line.back() = static_cast<std::int64_t>(RowsOf(batch)) + 1;
    batch.charge_begin.back() = kDay1 + Hours(24 * cost.day + 5);
    batch.effective_cost.back() = Money::FromNanos(cost.nanos);
    batch.tags.back() = cost.tag;
  }
  return batch;
}

NodeBatch Nodes(std::int64_t snapshot_id, const std::vector<std::string>& names) {
  NodeBatch batch;
  for (const std::string& name : names) {
    AddRow(batch, snapshot_id);
    batch.node.back() = name;
  }
  return batch;
}

RejectionBatch Refused(std::int64_t snapshot_id, const std::string& file,
                       const std::vector<std::string>& reasons) {
  RejectionBatch batch;
  for (const std::string& reason : reasons) {
    AddRow(batch, snapshot_id);
    batch.file.back() = file;
    batch.reason.back() = reason;
  }
  return batch;
}

class SnapshotTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = OpenDuckDb({});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }

  std::int64_t Number(const std::string& sql) {
    const auto rows = Query<NumberBatch>(*store_, sql);
    EXPECT_TRUE(rows) << (rows ? "" : rows.error().message);
    return rows && !rows->value.empty() ? rows->value[0] : -1;
  }

  // Loads one scope; what Commit says of it.
  using Fill = std::function<Status(SnapshotLoad&, std::int64_t id)>;
  Result<ImportReport::Load> Load(const SnapshotKey& key, const Fill& fill) {
    PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(*store_));
    PLIMSOLL_TRY(const std::int64_t id, load.Open(key));
    PLIMSOLL_RETURN_IF_ERROR(fill(load, id));
    ImportReport report;
    PLIMSOLL_RETURN_IF_ERROR(load.Commit(report));
    EXPECT_EQ(report.loads.size(), 1u);
    return report.loads.at(0);
  }
  Result<ImportReport::Load> LoadCharges(const std::vector<Cost>& costs, int days = 30,
                                         bool allow_shrink = false) {
    return Load(kBill, [&](SnapshotLoad& load, std::int64_t id) {
      load.CoverTime(id, {kDay1, kDay1 + Days(days)});
      if (allow_shrink) load.AllowShrink();
      return load.Append("charge", Charges(id, costs));
    });
  }
  Result<ImportReport::Load> LoadNodes(const std::vector<std::string>& names) {
    return Load(kCluster, [&](SnapshotLoad& load, std::int64_t id) {
      return load.Append("node", Nodes(id, names));
    });
  }

  std::unique_ptr<Store> store_;
};

TEST_F(SnapshotTest, AFirstLoadBecomesVisibleAsAWhole) {
  const auto load = LoadCharges({{0, 1'000'000'000}, {1, 5}});
  ASSERT_TRUE(load) << load.error().message;
  EXPECT_EQ(load->scope, "Amazon Web Services / 1234 / USD / 2024-09");
  EXPECT_EQ(load->outcome, "loaded");
  EXPECT_EQ(load->rows, 2);
  EXPECT_TRUE(load->differences.empty());
  EXPECT_EQ(Number("SELECT count(*) FROM active_charge"), 2);
  const auto rows = Query<SnapshotBatch>(*store_, "SELECT * FROM snapshot");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(RowsOf(*rows), 1u);
  EXPECT_EQ(rows->kind[0], "charge");
  EXPECT_EQ(rows->period_begin[0], kDay1);
  EXPECT_EQ(rows->content_hash[0].size(), 32u);
  EXPECT_EQ(rows->rows[0], 2);
  EXPECT_EQ(rows->data_until[0], kDay1 + Days(30));
  EXPECT_EQ(rows->previous_id[0], 0);
  EXPECT_EQ(rows->active[0], 1);
}

TEST_F(SnapshotTest, TheSameContentInAnyOrderChangesNothing) {
  ASSERT_TRUE(LoadCharges({{0, 1}, {1, 2}, {1, 2}}));
  const auto again = LoadCharges({{1, 2}, {0, 1}, {1, 2}});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->outcome, "unchanged");
  EXPECT_EQ(again->rows, 3);
  EXPECT_EQ(Number("SELECT count(*) FROM charge"), 3);
  EXPECT_EQ(Number("SELECT count(*) FROM snapshot"), 1);
  // Twice the same row is not once.
  EXPECT_EQ(LoadCharges({{1, 2}, {0, 1}})->outcome, "restated");
}

TEST_F(SnapshotTest, ARestatementKeepsThePreviousRowsAndReportsEveryChange) {
  ASSERT_TRUE(LoadCharges({{0, 1'234'500'000'000}, {2, 7}}));
  const auto load = LoadCharges({{0, 1'235'000'000'000}, {2, 7}, {3, 1'000'000'000}});
  ASSERT_TRUE(load) << load.error().message;
  EXPECT_EQ(load->outcome, "restated");
  EXPECT_EQ(load->differences, (std::vector<std::string>{
                                   "rows 2 -> 3", "effective_cost 1234.500000007 -> 1236.000000007",
                                   "2024-09-01 effective_cost 1234.500000000 -> 1235.000000000",
                                   "2024-09-04 effective_cost 0.000000000 -> 1.000000000"}));
  EXPECT_EQ(Number("SELECT count(*) FROM charge"), 5);
  EXPECT_EQ(Number("SELECT count(*) FROM active_charge"), 3);
  EXPECT_EQ(Number("SELECT previous_id FROM snapshot WHERE active = 1"), 1);
}

TEST_F(SnapshotTest, AChangeOfTextsAloneIsARestatementToo) {
  ASSERT_TRUE(LoadCharges({{0, 5, "{}"}}));
  const auto load = LoadCharges({{0, 5, "{\"team\":\"a\"}"}});
  ASSERT_TRUE(load) << load.error().message;
  EXPECT_EQ(load->outcome, "restated");
  EXPECT_EQ(load->differences,
            std::vector<std::string>{"same rows and sums; other columns differ"});
}

TEST_F(SnapshotTest, GivenRowHashesDecideWhatIsContent) {
  const auto fill = [](std::int64_t hash) {
    return [hash](SnapshotLoad& load, std::int64_t id) {
      const std::vector<Hash128> hashes{{static_cast<std::uint64_t>(hash), 0}};
      return load.Append("node", Nodes(id, {"n" + std::to_string(hash % 2)}), hashes);
    };
  };
  ASSERT_TRUE(Load(kCluster, fill(2)));
  EXPECT_EQ(Load(kCluster, fill(2))->outcome, "unchanged");
  EXPECT_EQ(Load(kCluster, fill(3))->outcome, "restated");
}

TEST_F(SnapshotTest, LosingDaysOfABillNeedsPermission) {
  ASSERT_TRUE(LoadCharges({{0, 1}, {20, 1}}, 30));
  const auto refused = LoadCharges({{0, 1}}, 10);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(refused.error().message,
            "charges of Amazon Web Services / 1234 / USD / 2024-09 are loaded for "
            "2024-09-01T00:00:00Z/2024-10-01T00:00:00Z, but this load covers "
            "2024-09-01T00:00:00Z/2024-09-11T00:00:00Z, so days would be lost; load the whole "
            "period, or say that it is partial (--partial)");
  EXPECT_EQ(Number("SELECT count(*) FROM charge"), 2);
  const auto allowed = LoadCharges({{0, 1}}, 10, true);
  ASSERT_TRUE(allowed) << allowed.error().message;
  EXPECT_EQ(allowed->outcome, "restated");
  EXPECT_EQ(Number("SELECT count(*) FROM active_charge"), 1);
  EXPECT_EQ(LoadCharges({{0, 1}, {20, 1}}, 30)->outcome, "restated");  // growing is free
}

TEST_F(SnapshotTest, OfTelemetryOnlyTheLastTwoSnapshotsAreKept) {
  for (int i = 1; i <= 5; ++i) {
    const auto load = LoadNodes({"a" + std::to_string(i), "b"});
    ASSERT_TRUE(load) << load.error().message;
  }
  EXPECT_EQ(Number("SELECT count(*) FROM snapshot"), 2);
  EXPECT_EQ(Number("SELECT count(*) FROM node"), 4);
  EXPECT_EQ(Number("SELECT count(*) FROM active_node WHERE node = 'a5'"), 1);
  EXPECT_EQ(Number("SELECT count(*) FROM node WHERE node = 'a4'"), 1);
  for (int i = 1; i <= 4; ++i) ASSERT_TRUE(LoadCharges({{0, i}}));
  EXPECT_EQ(Number("SELECT count(*) FROM charge"), 4);
}

TEST_F(SnapshotTest, UnchangedScopesAreDroppedBesideRestatedOnes) {
  const SnapshotKey other{"kubernetes", "test", {}};
  const auto load_both = [&](const std::string& node) -> Result<ImportReport> {
    PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(*store_));
    PLIMSOLL_TRY(const std::int64_t second, load.Open(other));
    PLIMSOLL_TRY(const std::int64_t first, load.Open(kCluster));
    NodeBatch nodes = Nodes(second, {"same"});
    AppendRow(nodes, Nodes(first, {node}), 0);
    PLIMSOLL_RETURN_IF_ERROR(load.Append("node", nodes));
    ImportReport report;
    PLIMSOLL_RETURN_IF_ERROR(load.Commit(report));
    return report;
  };
  ASSERT_TRUE(load_both("x"));
  const auto report = load_both("y");
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->loads.size(), 2u);
  EXPECT_EQ(report->loads[0].scope, "prod");  // key order, not the order of opening
  EXPECT_EQ(report->loads[0].outcome, "restated");
  EXPECT_EQ(report->loads[1].outcome, "unchanged");
  EXPECT_EQ(Number("SELECT count(*) FROM node"), 3);
  EXPECT_EQ(Number("SELECT count(*) FROM active_node"), 2);
  EXPECT_EQ(Number("SELECT count(*) FROM snapshot"), 3);
}

TEST_F(SnapshotTest, ALoadThatIsNotCommittedLeavesNothing) {
  ASSERT_TRUE(LoadNodes({"a"}));
  {
    auto load = SnapshotLoad::Begin(*store_);
    ASSERT_TRUE(load) << load.error().message;
    SnapshotLoad moved(*std::move(load));
    ASSERT_TRUE(moved.Append("node", Nodes(*moved.Open(kCluster), {"b", "c"})));
    EXPECT_EQ(*moved.ActiveOf(kCluster), 1);
    EXPECT_EQ(*moved.ActiveOf(kBill), std::nullopt);
  }
  EXPECT_EQ(Number("SELECT count(*) FROM node"), 1);
  EXPECT_EQ(Number("SELECT count(*) FROM active_node WHERE node = 'a'"), 1);
}

TEST_F(SnapshotTest, ReadersSeeTheOldRowsUntilTheCommit) {
  ASSERT_TRUE(LoadNodes({"old"}));
  auto load = SnapshotLoad::Begin(*store_);
  ASSERT_TRUE(load) << load.error().message;
  ASSERT_TRUE(load->Append("node", Nodes(*load->Open(kCluster), {"new", "newer"})));
  EXPECT_EQ(Number("SELECT count(*) FROM active_node WHERE node = 'old'"), 1);
  EXPECT_EQ(Number("SELECT count(*) FROM active_node"), 1);
  ImportReport report;
  ASSERT_TRUE(load->Commit(report));
  EXPECT_EQ(Number("SELECT count(*) FROM active_node WHERE node = 'old'"), 0);
  EXPECT_EQ(Number("SELECT count(*) FROM active_node"), 2);
}

TEST_F(SnapshotTest, TheSameRowsSeenForLongerWidenTheSpan) {
  const auto load_until = [&](int days) {
    return Load(kCluster, [&](SnapshotLoad& load, std::int64_t id) {
      load.CoverTime(id, {kDay1, kDay1 + Days(days)});
      return load.Append("node", Nodes(id, {"a"}));
    });
  };
  ASSERT_TRUE(load_until(2));
  EXPECT_EQ(load_until(3)->outcome, "unchanged");
  EXPECT_EQ(Number("SELECT data_until FROM snapshot"), (kDay1 + Days(3)).base());
  EXPECT_EQ(load_until(1)->outcome, "unchanged");
  EXPECT_EQ(Number("SELECT data_until FROM snapshot"), (kDay1 + Days(3)).base());
  EXPECT_EQ(Number("SELECT count(*) FROM node"), 1);
}

TEST_F(SnapshotTest, BeginRefusesAnOpenTransaction) {
  ASSERT_TRUE(store_->Begin());
  const auto load = SnapshotLoad::Begin(*store_);
  ASSERT_FALSE(load);
  EXPECT_EQ(load.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_TRUE(store_->Rollback());  // and left it open
}

TEST_F(SnapshotTest, RejectionsAreCountedButAreNotContent) {
  const auto fill = [](const std::vector<std::string>& reasons) {
    return [reasons](SnapshotLoad& load, std::int64_t id) -> Status {
      PLIMSOLL_RETURN_IF_ERROR(load.Append("node", Nodes(id, {"a"})));
      return load.Reject(Refused(id, "f.csv", reasons));
    };
  };
  ASSERT_TRUE(Load(kCluster, fill({"bad"})));
  EXPECT_EQ(Load(kCluster, fill({"bad"}))->outcome, "unchanged");
  EXPECT_EQ(Number("SELECT count(*) FROM rejection"), 1);
  // Other refusals of the same rows: the newest are kept, the snapshot stays.
  EXPECT_EQ(Load(kCluster, fill({"worse", "bad"}))->outcome, "unchanged");
  EXPECT_EQ(Number("SELECT count(*) FROM active_rejection"), 2);
  EXPECT_EQ(Number("SELECT rejected FROM snapshot WHERE active = 1"), 2);
  EXPECT_EQ(Number("SELECT count(*) FROM node"), 1);
  EXPECT_EQ(Load(kCluster, fill({}))->outcome, "unchanged");
  EXPECT_EQ(Number("SELECT count(*) FROM rejection"), 0);
}

TEST_F(SnapshotTest, RejectionsWithoutAScopeAreKeptOnceAFile) {
  const auto reject = [&](const std::string& file, const std::vector<std::string>& reasons) {
    auto load = SnapshotLoad::Begin(*store_);
    ImportReport report;
    return load->Reject(Refused(0, file, reasons)) && load->Commit(report);
  };
  EXPECT_TRUE(reject("a.csv", {"x", "y"}));
  EXPECT_TRUE(reject("b.csv", {"z"}));
  EXPECT_TRUE(reject("a.csv", {"x", "y"}));
  EXPECT_EQ(Number("SELECT count(*) FROM active_rejection"), 3);
}

TEST_F(SnapshotTest, RefusedBytesThatAreNotTextAreMended) {
  const auto load = Load(kCluster, [](SnapshotLoad& l, std::int64_t id) {
    RejectionBatch batch = Refused(id, "f", {"cut"});
    batch.raw[0] = "half \xE2\x82";
    return l.Reject(batch);
  });
  ASSERT_TRUE(load) << load.error().message;
  EXPECT_EQ(Number("SELECT count(*) FROM rejection WHERE raw = 'half \xEF\xBF\xBD\xEF\xBF\xBD'"),
            1);
}

TEST_F(SnapshotTest, RowsOfAScopeThatWasNotOpenedAreRefused) {
  auto load = SnapshotLoad::Begin(*store_);
  ASSERT_TRUE(load);
  EXPECT_EQ(load->Append("node", Nodes(77, {"a"})).error().code, ErrorCode::kInternal);
  EXPECT_EQ(load->Append("snapshot", Nodes(77, {"a"})).error().code, ErrorCode::kInternal);
}

TEST_F(SnapshotTest, ALoadEndsWithItsCommit) {
  auto load = SnapshotLoad::Begin(*store_);
  ASSERT_TRUE(load);
  ImportReport report;
  ASSERT_TRUE(load->Commit(report));
  EXPECT_EQ(load->Commit(report).error().code, ErrorCode::kFailedPrecondition);
}

}  // namespace
}  // namespace plimsoll
