#include "ingest/slurm/slurm_import.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "model/conditions.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "JobID|Cluster|Submit|Start|End|Elapsed|State|AllocTRES|NodeList|JobName\n";
constexpr const char* kDone =
    "7|hpc|2026-01-05T07:00:00|2026-01-05T08:00:00|2026-01-05T09:00:00|01:00:00|COMPLETED|"
    "cpu=8,gres/gpu=4|g[01-02]|train\n";
constexpr const char* kRunning =
    "8|hpc|2026-01-05T07:00:00|2026-01-05T08:00:00|Unknown|02:00:00|RUNNING|cpu=8,gres/gpu=1|g01|"
    "live\n";

class SlurmImportTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::path(testing::TempDir()) / ("slurm_import_" + name);
    std::filesystem::create_directories(folder_);
    auto opened = OpenDuckDb({.path = "", .threads = 1});
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  Result<ImportReport> Import(const std::vector<std::string>& files) {
    SlurmOptions options;
    options.files = files;
    return ImportSlurm(*store_, options);
  }
  HoldingBatch Holdings() {
    auto rows = Query<HoldingBatch>(*store_, "SELECT * FROM active_holding ORDER BY uid, node");
    EXPECT_TRUE(rows) << rows.error().message;
    return rows ? *std::move(rows) : HoldingBatch{};
  }

  std::filesystem::path folder_;
  std::unique_ptr<Store> store_;
};

TEST_F(SlurmImportTest, LoadingTwiceChangesNothing) {
  const std::string file = Write("a.psv", std::string(kHeader) + kDone + kRunning);
  const auto first = Import({file});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->accepted, 2);
  EXPECT_EQ(first->loads[0].outcome, "loaded");
  const auto again = Import({file});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->loads[0].outcome, "unchanged");
  EXPECT_EQ(RowsOf(Holdings()), 3U);
}

TEST_F(SlurmImportTest, RunThatWasRunningEndsWhenALaterFileSaysSo) {
  ASSERT_TRUE(Import({Write("a.psv", std::string(kHeader) + kRunning)}));
  EXPECT_EQ(*Holdings().until[0], *ParseInstant("2026-01-05T10:00:00Z"));
  std::string done = kRunning;
  done.replace(done.find("Unknown"), 7, "2026-01-05T11:00:00");
  done.replace(done.find("02:00:00"), 8, "03:00:00");
  done.replace(done.find("RUNNING"), 7, "COMPLETED");
  ASSERT_TRUE(Import({Write("b.psv", std::string(kHeader) + done)}));
  const HoldingBatch held = Holdings();
  ASSERT_EQ(RowsOf(held), 1U);
  EXPECT_EQ(*held.until[0], *ParseInstant("2026-01-05T11:00:00Z"));
  // The older file again does not bring the run back to life.
  ASSERT_TRUE(Import({(folder_ / "a.psv").string()}));
  EXPECT_EQ(*Holdings().until[0], *ParseInstant("2026-01-05T11:00:00Z"));
}

TEST_F(SlurmImportTest, NodesJoinTheClusterOfTheJobsBesideThem) {
  const auto report =
      Import({Write("n.txt", "NodeName=g01 CPUTot=4 RealMemory=1000 Gres=gpu:h100:8\n"),
              Write("a.psv", std::string(kHeader) + kDone)});
  ASSERT_TRUE(report) << report.error().message;
  const auto nodes = Query<NodeBatch>(*store_, "SELECT * FROM active_node");
  ASSERT_TRUE(nodes);
  ASSERT_EQ(RowsOf(*nodes), 1U);
  EXPECT_EQ(nodes->cluster[0], "hpc");
  EXPECT_EQ(nodes->gpu_count[0], 8);
}

// "aspect=value since..seen" of the active states, in key order.
std::vector<std::string> StateTexts(Store& store) {
  const auto rows =
      Query<NodeStateBatch>(store, "SELECT * FROM active_node_state ORDER BY aspect, since_at");
  EXPECT_TRUE(rows) << rows.error().message;
  std::vector<std::string> texts;
  for (std::size_t i = 0; rows && i < RowsOf(*rows); ++i) {
    texts.push_back(rows->aspect[i] + "=" + rows->value[i].text() + " " +
                    ToString(rows->since[i]).substr(11, 5) + ".." +
                    ToString(rows->seen[i]).substr(11, 5));
  }
  return texts;
}

TEST_F(SlurmImportTest, LaterPrintoutEndsWhatAnEarlierOneSaidOfANode) {
  const auto at = [&](const char* time, const std::string& file) {
    SlurmOptions options;
    options.files = {file};
    options.cluster = "hpc";
    options.as_of = *ParseInstant(time);
    const auto report = ImportSlurm(*store_, options);
    ASSERT_TRUE(report) << report.error().message;
  };
  const std::string down =
      Write("a.txt", "NodeName=g01 State=DOWN+DRAIN Reason=xid 79 [root@2026-01-05T07:00:00]\n");
  const std::string well = Write("b.txt", "NodeName=g01 State=IDLE\n");
  at("2026-01-05T09:00:00Z", well);
  at("2026-01-05T08:00:00Z", down);
  const std::vector<std::string> wanted = {
      "health=failed 07:00..08:00",  "health=failed 08:00..08:00",  "health=ok 09:00..09:00",
      "planned=no 08:00..08:00",     "planned=no 09:00..09:00",     "schedulable=no 07:00..08:00",
      "schedulable=no 08:00..08:00", "schedulable=yes 09:00..09:00"};
  EXPECT_EQ(StateTexts(*store_), wanted);
  at("2026-01-05T08:00:00Z", down);
  EXPECT_EQ(StateTexts(*store_), wanted) << "again, in another order";
}

TEST_F(SlurmImportTest, StatesAreDatedByTheJobsAndTimesBesideThem) {
  const std::string nodes = Write("n.txt", "NodeName=g01 State=IDLE+PLANNED\n");
  ASSERT_TRUE(Import({nodes, Write("a.psv", std::string(kHeader) + kRunning)}));
  EXPECT_EQ(StateTexts(*store_)[1], "planned=yes 10:00..10:00");
  const auto busy =
      Import({Write("m.txt", "NodeName=g01 State=IDLE LastBusyTime=2026-01-05T11:00:00\n"),
              Write("a.psv", std::string(kHeader) + kRunning)});
  ASSERT_TRUE(busy);
  EXPECT_EQ(StateTexts(*store_)[1], "health=ok 11:00..11:00");
}

TEST_F(SlurmImportTest, StatesThatNothingDatesAreNotKeptAndSaidSo) {
  SlurmOptions options;
  options.files = {Write("n.txt", "NodeName=g01 State=DOWN\n")};
  options.cluster = "hpc";
  const auto report = ImportSlurm(*store_, options);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_NE(report->warnings[0].find("--at"), std::string::npos);
  EXPECT_TRUE(StateTexts(*store_).empty());
}

TEST_F(SlurmImportTest, ReservationsTakeTheGpusOfTheNodesBesideThem) {
  const std::string reservations =
      Write("r.txt",
            "ReservationName=r1 StartTime=2026-01-05T08:00:00 EndTime=2026-01-05T18:00:00\n"
            "   Nodes=g01 TRES=cpu=4 Accounts=nlp Flags=MAINT\n");
  const std::string nodes = Write("n.txt", "NodeName=g01 CPUTot=4 Gres=gpu:h100:8\n");
  const auto report = Import({reservations, nodes, Write("a.psv", std::string(kHeader) + kDone)});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rejected, 0);
  EXPECT_EQ(report->accepted, 3);
  const auto rows = Query<SetAsideBatch>(*store_, "SELECT * FROM active_set_aside");
  ASSERT_TRUE(rows);
  ASSERT_EQ(RowsOf(*rows), 1U);
  EXPECT_EQ(rows->cluster[0], "hpc");
  EXPECT_EQ(rows->kind[0], "slurm-maintenance");
  EXPECT_EQ(rows->gpus[0], 8);
  EXPECT_EQ(rows->seen[0], *ParseInstant("2026-01-05T09:00:00Z"));
}

TEST_F(SlurmImportTest, ReservationOfUnknownNodesIsInTheQuarantine) {
  const auto report = Import(
      {Write("r.txt", "ReservationName=r1 StartTime=1767600000 EndTime=1767603600 Nodes=g09\n"),
       Write("a.psv", std::string(kHeader) + kDone)});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rejected, 1);
  EXPECT_NE(report->first_rejections[0].reason.find("scontrol show node"), std::string::npos);
  EXPECT_EQ(report->first_rejections[0].line, 1);
}

TEST_F(SlurmImportTest, WhatPartitionsSayOfBillingIsTold) {
  const auto report =
      Import({Write("p.txt", "PartitionName=gpu TRESBillingWeights=CPU=1.0 TRES=gres/gpu=8\n"),
              Write("a.psv", std::string(kHeader) + kDone)});
  ASSERT_TRUE(report);
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_NE(report->warnings[0].find("no basis for a price"), std::string::npos);
  ASSERT_EQ(report->ignored.size(), 1U);
  EXPECT_NE(report->ignored[0].find("CPU=1.0"), std::string::npos);
}

TEST_F(SlurmImportTest, DamagedJobstatsAreAWarningWithTheJob) {
  const auto report =
      Import({Write("a.psv",
                    "JobID|Cluster|Start|Elapsed|State|AllocTRES|NodeList|AdminComment\n"
                    "7|hpc|2026-01-05T08:00:00|01:00:00|COMPLETED|gres/gpu=1|g01|JS1:%%\n")});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->accepted, 1);
  ASSERT_EQ(report->warnings.size(), 1U);
  EXPECT_NE(report->warnings[0].find("job 7"), std::string::npos);
}

TEST_F(SlurmImportTest, NodesWithoutAClusterAreRefused) {
  const auto report = Import({Write("n.txt", "NodeName=g01 CPUTot=4\n")});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kInvalidArgument);
}

TEST_F(SlurmImportTest, RefusedRowsAreInTheQuarantine) {
  const auto report =
      Import({Write("a.psv", std::string(kHeader) + kDone + "9|hpc|x|x|x|x|DANCING||g01|n\n")});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rejected, 1);
  EXPECT_EQ(report->first_rejections[0].line, 3);
  const auto rows = Query<RejectionBatch>(*store_, "SELECT * FROM rejection");
  ASSERT_TRUE(rows);
  EXPECT_EQ(RowsOf(*rows), 1U);
}

TEST_F(SlurmImportTest, MissingFileAndUnknownZoneFailAndChangeNothing) {
  EXPECT_EQ(Import({(folder_ / "none.psv").string()}).error().code, ErrorCode::kNotFound);
  SlurmOptions options;
  options.time_zone = "Mars/Olympus";
  EXPECT_EQ(ImportSlurm(*store_, options).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace plimsoll
