#include "ingest/slurm/sacct_row.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "JobID|Cluster|Partition|QOS|Account|User|Submit|Start|End|Elapsed|State|ReqMem|ReqTRES|"
    "AllocTRES|NodeList|WCKey|Comment|JobName";

struct Row {
  std::string id = "7", start = "2026-01-05T08:10:00", end = "2026-01-05T10:10:00";
  std::string elapsed = "02:00:00", state = "COMPLETED";
  std::string tres = "cpu=16,gres/gpu:h100=2,gres/gpu=2,mem=64G,node=1", nodes = "g01";
  std::string comment = "";

  std::string Line() const {
    return id + "|hpc|gpu|normal|nlp|alice|2026-01-05T08:00:00|" + start + "|" + end + "|" +
           elapsed + "|" + state + "|64G|gres/gpu=3|" + tres + "|" + nodes + "|*proj|" + comment +
           "|train";
  }
};

struct Reader {
  SacctTable table = *SacctTable::FromHeader(kHeader);
  SlurmClock clock = *SlurmClock::Open("");
  SacctFacts facts;

  std::string Read(const Row& row) {
    const auto refusal = ReadSacctRow({table, clock, ""}, row.Line(), facts);
    return refusal ? refusal->field : "taken";
  }
  const HoldingBatch& holdings() { return facts.by_cluster["hpc"].holdings; }
  const PendingBatch& pending() { return facts.by_cluster["hpc"].pending; }
};

TEST(SacctRowTest, RunHoldsItsGpusForElapsed) {
  Reader reader;
  ASSERT_EQ(reader.Read({}), "taken");
  const HoldingBatch& held = reader.holdings();
  ASSERT_EQ(RowsOf(held), 1U);
  EXPECT_EQ(held.uid[0], "7@2026-01-05T08:10:00Z");
  EXPECT_EQ(held.devices[0], 2);
  EXPECT_EQ(held.device_kind[0], "gpu");
  EXPECT_EQ(Between(held.begin[0], *held.until[0]), Hours(2));
  EXPECT_EQ(held.end_reason[0], "Completed");
  EXPECT_EQ(held.account[0], "nlp");
  EXPECT_EQ(held.user_name[0], "alice");
  EXPECT_EQ(held.queue[0], "gpu");
  EXPECT_EQ(held.workload[0], "train");
  EXPECT_EQ(held.cpu_milli[0], 16'000);
  EXPECT_EQ(held.memory_bytes[0], 64LL << 30);
  EXPECT_EQ(held.labels[0], R"({"qos":"normal","wckey":"proj"})");
  EXPECT_EQ(*held.queued[0], *ParseInstant("2026-01-05T08:00:00Z"));
}

TEST(SacctRowTest, StepsAreNotSummed) {
  Reader reader;
  for (const char* id : {"7.batch", "7.extern", "7.0", "7_1.batch"}) {
    EXPECT_EQ(reader.Read({.id = id}), "taken");
  }
  EXPECT_EQ(reader.facts.steps, 4);
  EXPECT_EQ(RowsOf(reader.holdings()), 0U);
}

TEST(SacctRowTest, GpusOfManyNodesAddUpToTheAllocation) {
  Reader reader;
  reader.Read({.tres = "cpu=10,gres/gpu=5,mem=10G,node=3", .nodes = "g[01-03]"});
  const HoldingBatch& held = reader.holdings();
  ASSERT_EQ(RowsOf(held), 3U);
  EXPECT_EQ(held.node, (std::vector<Symbol>{"g01", "g02", "g03"}));
  EXPECT_EQ(held.devices, (std::vector<std::int64_t>{2, 2, 1}));
  EXPECT_EQ(held.cpu_milli[0] + held.cpu_milli[1] + held.cpu_milli[2], 10'000);
  EXPECT_EQ(held.memory_bytes[0] + held.memory_bytes[1] + held.memory_bytes[2], 10LL << 30);
}

TEST(SacctRowTest, RequeuedRunsOfOneJobAreTwoRuns) {
  Reader reader;
  reader.Read({.state = "PREEMPTED"});
  reader.Read({.start = "2026-01-05T11:00:00", .end = "2026-01-05T13:00:00"});
  EXPECT_EQ(RowsOf(reader.holdings()), 2U);
  EXPECT_EQ(reader.facts.duplicates, 0);
  reader.Read({.state = "PREEMPTED"});
  EXPECT_EQ(reader.facts.duplicates, 1);
}

TEST(SacctRowTest, ElapsedCountsWhereEndSaysOtherwise) {
  Reader reader;
  reader.Read({.elapsed = "00:30:00"});
  EXPECT_EQ(Between(reader.holdings().begin[0], *reader.holdings().until[0]), Minutes(30));
  EXPECT_EQ(reader.facts.elapsed_differs, 1);
}

TEST(SacctRowTest, SuspendedJobKeepsItsGpus) {
  Reader reader;
  const SacctTable table =
      *SacctTable::FromHeader("JobID|Cluster|Start|End|Elapsed|Suspended|State|AllocTRES|NodeList");
  const auto read = [&](const std::string& row) {
    const auto refusal = ReadSacctRow({table, reader.clock, ""}, row, reader.facts);
    return refusal ? refusal->field : "taken";
  };
  EXPECT_EQ(read("1|hpc|2026-01-05T08:00:00|2026-01-05T08:10:00|00:02:00|00:08:00|COMPLETED|"
                 "gres/gpu=1|g01"),
            "taken");
  EXPECT_EQ(Between(reader.holdings().begin[0], *reader.holdings().until[0]), Minutes(10));
  EXPECT_EQ(reader.facts.elapsed_differs, 0);
  EXPECT_EQ(read("2|hpc|2026-01-05T08:00:00|Unknown|00:02:00|00:05:00|SUSPENDED|gres/gpu=1|g01"),
            "taken");
  EXPECT_EQ(Between(reader.holdings().begin[1], *reader.holdings().until[1]), Minutes(7));
  EXPECT_EQ(read("3|hpc|2026-01-05T08:00:00|Unknown|00:02:00|long|RUNNING|gres/gpu=1|g01"),
            "Suspended");
}

TEST(SacctRowTest, RunningJobIsHeldForElapsedSoFarWhichDatesTheData) {
  Reader reader;
  ASSERT_EQ(reader.Read({.end = "Unknown", .elapsed = "1-00:00:00", .state = "RUNNING"}), "taken");
  EXPECT_EQ(*reader.holdings().until[0], *ParseInstant("2026-01-06T08:10:00Z"));
  EXPECT_EQ(reader.holdings().end_reason[0], "");
  EXPECT_EQ(reader.facts.as_of["hpc"], *ParseInstant("2026-01-06T08:10:00Z"));
}

TEST(SacctRowTest, WaitingArrayWantsTheDevicesOfAllItsTasks) {
  Reader reader;
  ASSERT_EQ(reader.Read({.id = "9_[3-9%2]",
                         .start = "Unknown",
                         .end = "Unknown",
                         .elapsed = "00:00:00",
                         .state = "PENDING",
                         .tres = "",
                         .nodes = "None assigned"}),
            "taken");
  ASSERT_EQ(RowsOf(reader.pending()), 1U);
  EXPECT_EQ(reader.pending().devices[0], 21);
  EXPECT_EQ(RowsOf(reader.holdings()), 0U);
}

TEST(SacctRowTest, CancelledBeforeItStartedHeldNothing) {
  Reader reader;
  EXPECT_EQ(reader.Read({.start = "Unknown",
                         .elapsed = "00:00:00",
                         .state = "CANCELLED by 7",
                         .tres = "",
                         .nodes = "None assigned"}),
            "taken");
  EXPECT_EQ(
      reader.Read(
          {.elapsed = "00:00:00", .state = "CANCELLED by 7", .tres = "", .nodes = "None assigned"}),
      "taken");
  EXPECT_EQ(reader.facts.never_started, 2);
  EXPECT_EQ(reader.facts.jobs, 0);
}

TEST(SacctRowTest, BrokenFieldsAreNamed) {
  Reader reader;
  EXPECT_EQ(reader.Read({.id = "job"}), "JobID");
  EXPECT_EQ(reader.Read({.start = "soon"}), "Start");
  EXPECT_EQ(reader.Read({.start = "Unknown"}), "Start");
  EXPECT_EQ(reader.Read({.elapsed = "long"}), "Elapsed");
  EXPECT_EQ(reader.Read({.state = "DANCING"}), "State");
  EXPECT_EQ(reader.Read({.tres = "gres/gpu=two"}), "AllocTRES");
  EXPECT_EQ(reader.Read({.nodes = "g[1-"}), "NodeList");
  EXPECT_EQ(reader.Read({.nodes = "None assigned"}), "NodeList");
  EXPECT_EQ(reader.Read({.comment = "a|b|c"}), "taken");  // runs into JobName, the last column
  EXPECT_EQ(reader.facts.jobs, 1);
}

TEST(SacctRowTest, MigInstancesAreSlices) {
  Reader reader;
  reader.Read({.tres = "cpu=4,gres/gpu:1g.10gb=2,gres/gpu=2,mem=32G,node=1"});
  EXPECT_EQ(reader.holdings().device_kind[0], "mig-1g.10gb");
  EXPECT_EQ(reader.holdings().devices[0], 2);
  EXPECT_EQ(reader.holdings().share_den[0], 7);
}

TEST(SacctRowTest, WaitingJobTellsWhatEachOfItsNodesMustGive) {
  Reader reader;
  const SacctTable table = *SacctTable::FromHeader(
      "JobID|Cluster|Submit|Start|Elapsed|State|ReqTRES|AllocTRES|NodeList");
  const auto read = [&](const std::string& id, const std::string& tres) {
    const std::string line =
        id + "|hpc|2026-01-05T08:00:00|Unknown|00:00:00|PENDING|" + tres + "||None assigned";
    ReadSacctRow({table, reader.clock, ""}, line, reader.facts);
  };
  read("1", "gres/gpu=64,node=8");
  read("2", "gres/gpu:a100_1g.5gb=2,node=1");
  read("3", "gres/gpu=5,node=2");
  read("4", "gres/gpu=4");
  read("5", "cpu=4,node=1");
  EXPECT_EQ(reader.pending().unit_devices, (std::vector<std::int64_t>{8, 2, 3, 0, 0}));
  EXPECT_EQ(reader.pending().device_kind,
            (std::vector<std::string>{"gpu", "mig-1g.5gb", "gpu", "gpu", ""}));
}

// Held back by a dependency for an hour, and a row whose Eligible is of no use.
TEST(SacctRowTest, WaitBeginsWhenTheJobCouldHaveStarted) {
  Reader reader;
  const SacctTable table = *SacctTable::FromHeader(
      "JobID|Cluster|Submit|Eligible|Start|Elapsed|State|AllocTRES|NodeList");
  const auto read = [&](const std::string& id, const std::string& eligible) {
    const std::string line = id + "|hpc|2026-01-05T08:00:00|" + eligible +
                             "|2026-01-05T10:00:00|02:00:00|COMPLETED|gres/gpu=4|g1";
    ReadSacctRow({table, reader.clock, ""}, line, reader.facts);
  };
  read("1", "2026-01-05T09:00:00");
  read("2", "Unknown");
  read("3", "2026-01-05T11:00:00");
  const HoldingBatch& held = reader.holdings();
  ASSERT_EQ(RowsOf(held), 3u);
  EXPECT_EQ(Between(*held.queued[0], held.begin[0]), Hours(1));
  EXPECT_EQ(Between(*held.queued[1], held.begin[1]), Hours(2));
  EXPECT_EQ(Between(*held.queued[2], held.begin[2]), Hours(2));
}

class SacctUseTest : public testing::Test {
 protected:
  std::string Job(const std::string& admin_comment) {
    return "7|hpc|2026-01-05T08:00:00|2026-01-05T10:00:00|02:00:00|COMPLETED|gres/gpu=4|g[01-02]|" +
           admin_comment + "|||";
  }
  std::string Step(const std::string& id, const std::string& usage) {
    return "7." + id +
           "|hpc|2026-01-05T08:00:00|2026-01-05T10:00:00|02:00:00|COMPLETED|gres/gpu=4|g[01-02]||" +
           usage;
  }
  void Read(const std::string& line) {
    const SacctTable table = *SacctTable::FromHeader(
        "JobID|Cluster|Start|End|Elapsed|State|AllocTRES|NodeList|AdminComment|TRESUsageInAve|"
        "TRESUsageInTot|NTasks");
    const auto refusal = ReadSacctRow({table, *SlurmClock::Open(""), ""}, line, facts_);
    EXPECT_FALSE(refusal) << refusal->reason;
  }
  const HoldingBatch& Held() {
    ApplyStepUse(facts_);
    return facts_.by_cluster["hpc"].holdings;
  }

  SacctFacts facts_;
};

// base64(gzip({"nodes": {"g02": {"gpu_utilization": {"0": 50, "1": 75}}}}))
constexpr const char* kSummary =
    "JS1:H4sIAAAAAAACA6tWystPSS1WslKoVko3MILQBaXxpSWZOZlViSWZ+XlgMQMgaWqgo6BkCGSYm9YC"
    "AQDta4YLOwAAAA==";

TEST_F(SacctUseTest, JobstatsTellEachNodeItsOwnUse) {
  Read(Job(kSummary));
  EXPECT_EQ(Held().used_ppm, (std::vector<std::optional<std::int64_t>>{std::nullopt, 625'000}));
  EXPECT_EQ(Held().used_signal[1], "jobstats");
}

TEST_F(SacctUseTest, DamagedSummaryIsToldAndTheJobIsTaken) {
  Read(Job("JS1:%%%"));
  EXPECT_EQ(RowsOf(Held()), 2U);
  EXPECT_EQ(facts_.jobstats_broken.size(), 1U);
  EXPECT_TRUE(facts_.jobstats_broken.contains("7"));
  EXPECT_EQ(Held().used_ppm[0], std::nullopt);
}

TEST_F(SacctUseTest, StepsTellWhatJobstatsDoNotWhereverTheyStand) {
  Read(Step("0", "cpu=00:10:00,gres/gpumem=8K,gres/gpuutil=54|gres/gpuutil=432|8"));
  Read(Job(kSummary));
  Read(Step("batch", "gres/gpuutil=0||"));
  EXPECT_EQ(Held().used_ppm, (std::vector<std::optional<std::int64_t>>{540'000, 625'000}));
  EXPECT_EQ(Held().used_signal[0], "gres/gpuutil");
}

TEST_F(SacctUseTest, TotalOverTheTasksStandsForAMissingMean) {
  Read(Job(""));
  Read(Step("0", "|gres/gpuutil=180|2"));
  EXPECT_EQ(Held().used_ppm[0], 900'000);
}

TEST(WaitingTasksTest, CountsRangesStepsAndLimits) {
  EXPECT_EQ(WaitingTasks("900006_[3-9%2]"), 7);
  EXPECT_EQ(WaitingTasks("9_[1-100:5,200]"), 21);
  EXPECT_EQ(WaitingTasks("9_[1-3,...]"), 3);
  EXPECT_EQ(WaitingTasks("9_4"), 1);
  EXPECT_EQ(WaitingTasks("9"), 1);
  EXPECT_EQ(WaitingTasks("9_[]"), 1);
}

TEST(CommentLabelsTest, PairsAndJsonAreLabelsAndTextIsKept) {
  using Labels = std::map<std::string, std::string>;
  EXPECT_EQ(CommentLabels("team=nlp,project=x"), (Labels{{"team", "nlp"}, {"project", "x"}}));
  EXPECT_EQ(CommentLabels("team=nlp; run=7 again"), (Labels{{"team", "nlp"}, {"run", "7"}}));
  EXPECT_EQ(CommentLabels(R"({"team":"nlp","n":3})"), (Labels{{"team", "nlp"}}));
  EXPECT_EQ(CommentLabels("a first try"), (Labels{{"comment", "a first try"}}));
  EXPECT_TRUE(CommentLabels("").empty());
}

}  // namespace
}  // namespace plimsoll
