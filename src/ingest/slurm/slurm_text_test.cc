#include "ingest/slurm/slurm_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace plimsoll {
namespace {

constexpr const char* kHeader = "JobID|State|Start|End|Elapsed|AllocTRES|NodeList|JobName\n";
constexpr const char* kRow =
    "7|COMPLETED|2026-01-05T08:00:00|2026-01-05T09:00:00|01:00:00|gres/gpu=1|g01|a|b\n";

struct Outcome {
  SlurmReading reading;
  std::string error;
};

Outcome Read(const std::string& text) {
  Outcome outcome;
  std::istringstream in(text);
  const auto clock = SlurmClock::Open("");
  const Status status = ReadSlurmText(in, *clock, {.file = "f", .cluster = "hpc"}, outcome.reading);
  if (!status) outcome.error = status.error().message;
  return outcome;
}

TEST(SlurmTextTest, SacctIsRecognisedByItsHeader) {
  const Outcome outcome = Read(std::string(kHeader) + kRow);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reading.jobs.jobs, 1);
}

TEST(SlurmTextTest, WindowsLineBreaksAndByteOrderMarkDoNotMatter) {
  const Outcome outcome = Read(
      "\xef\xbb\xbfJobID|State|Start|End|Elapsed|AllocTRES|NodeList|JobName\r\n"
      "7|COMPLETED|2026-01-05T08:00:00|2026-01-05T09:00:00|01:00:00|gres/gpu=1|g01|a\r\n\r\n");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reading.jobs.jobs, 1);
  EXPECT_TRUE(outcome.reading.rejections.empty());
}

TEST(SlurmTextTest, FilesPutOneAfterAnotherAreReadOn) {
  const Outcome outcome = Read(std::string(kHeader) + kRow + kHeader + kRow);
  EXPECT_EQ(outcome.reading.jobs.jobs, 2);
  EXPECT_EQ(outcome.reading.jobs.duplicates, 1);
  EXPECT_TRUE(outcome.reading.rejections.empty());
}

TEST(SlurmTextTest, BrokenRowIsRejectedWithItsLineAndTheRestIsTaken) {
  const Outcome outcome = Read(std::string(kHeader) + "8|DANCING|x|x|x||g01|n\n" + kRow);
  EXPECT_EQ(outcome.reading.jobs.jobs, 1);
  ASSERT_EQ(outcome.reading.rejections.size(), 1U);
  EXPECT_EQ(outcome.reading.rejections[0].line, 2);
  EXPECT_EQ(outcome.reading.rejections[0].field, "State");
}

TEST(SlurmTextTest, NodesAreReadInBothForms) {
  const std::string a = "NodeName=g01 CPUTot=4 RealMemory=1000 Gres=gpu:h100:8";
  const std::string b = "NodeName=g02 CPUTot=4 RealMemory=1000 Gres=gpu:h100:8";
  const Outcome lines = Read(a + "\n" + b + "\n");
  const Outcome paragraphs = Read(
      "NodeName=g01 CPUTot=4\n   RealMemory=1000 Gres=gpu:h100:8\n\n"
      "NodeName=g02 CPUTot=4\n   RealMemory=1000 Gres=gpu:h100:8\n\n");
  EXPECT_EQ(lines.reading.nodes.rows.node, (std::vector<Symbol>{"g01", "g02"}));
  EXPECT_EQ(lines.reading.nodes.rows.node, paragraphs.reading.nodes.rows.node);
  EXPECT_EQ(lines.reading.nodes.rows.gpu_count, paragraphs.reading.nodes.rows.gpu_count);
}

TEST(SlurmTextTest, OtherFilesAreRefusedWithTheRemedy) {
  EXPECT_NE(Read("{\"s\": []}").error.find("docs/formats/slurm.md"), std::string::npos);
  EXPECT_NE(Read("JobID|State\n").error.find("AllocTRES"), std::string::npos);
  EXPECT_EQ(Read("\n \n").error, "");
  EXPECT_EQ(Read("").reading.empty_files, 1);
}

TEST(SlurmTextTest, RecordsOfSeveralCommandsMayStandInOneFile) {
  const Outcome outcome = Read(
      "NodeName=g01 CPUTot=4 State=IDLE\n\n"
      "ReservationName=r1 StartTime=2026-01-05T08:00:00 EndTime=2026-01-05T09:00:00 Nodes=g01\n"
      "   TRES=cpu=4\n\n"
      "PartitionName=gpu\n   TRES=cpu=4,gres/gpu=8\n   TRESBillingWeights=CPU=1.0\n");
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.reading.rejections.empty());
  EXPECT_EQ(RowsOf(outcome.reading.nodes.rows), 1U);
  EXPECT_EQ(outcome.reading.nodes.sightings.size(), 1U);
  ASSERT_EQ(outcome.reading.reservations.size(), 1U);
  EXPECT_EQ(outcome.reading.reservations[0].reservation.cpus, 4);
  EXPECT_EQ(outcome.reading.notes.size(), 1U);
  EXPECT_EQ(outcome.reading.warnings.size(), 1U);
}

TEST(SlurmTextTest, PartitionsOfSlurmConfAreReadThroughCommentsAndContinuedLines) {
  const Outcome outcome = Read(
      "# our cluster\nClusterName=hpc\nPriorityFlags=MAX_TRES\n"
      "NodeName=g[01-08] CPUs=64 Gres=gpu:h100:8\n"
      "partitionName=gpu Nodes=g[01-08] \\\n"
      "  TRESBillingWeights=\"CPU=1.0,Mem=0.25G\" # no GPU\n");
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.reading.rejections.empty());
  EXPECT_EQ(outcome.reading.notes.size(), 2U);
  ASSERT_EQ(outcome.reading.warnings.size(), 1U);
  EXPECT_EQ(outcome.reading.warnings.begin()->substr(0, 13), "partition gpu");
  EXPECT_NE(Read("ClusterName=hpc\n").error, "") << "nothing in it is used";
}

TEST(SlurmTextTest, ReportsOfSreportAreRefusedAsTotals) {
  for (const std::string& report :
       {std::string(80, '-') + "\nCluster Utilization\n", std::string("hpc|gres/gpu|20|1936|0\n"),
        "# pasted\n$ sreport cluster utilization\n" + std::string(80, '-') + "\n"}) {
    EXPECT_NE(Read(report).error.find("sreport"), std::string::npos) << report;
  }
}

TEST(SlurmTextTest, NoReservationsAreNoError) {
  const Outcome outcome = Read("No reservations in the system\n");
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.reading.reservations.empty());
}

TEST(SlurmTextTest, LineNumbersCountBlankLinesBeforeTheFirst) {
  const Outcome outcome = Read(std::string("\n\n") + kHeader + "8|DANCING|x|x|x||g01|n\n");
  ASSERT_EQ(outcome.reading.rejections.size(), 1U);
  EXPECT_EQ(outcome.reading.rejections[0].line, 4);
}

TEST(SlurmTextTest, NamesThatAreNotUtf8AreMended) {
  const Outcome outcome = Read(
      std::string(kHeader) +
      "7|COMPLETED|2026-01-05T08:00:00|2026-01-05T09:00:00|01:00:00|gres/gpu=1|g01|na\xefve\n");
  const auto& held = outcome.reading.jobs.by_cluster.at("hpc").holdings;
  EXPECT_EQ(held.workload[0], "na\xef\xbf\xbdve");
}

}  // namespace
}  // namespace plimsoll
