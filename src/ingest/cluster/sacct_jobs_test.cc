#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "JobIDRaw|Cluster|Partition|User|Submit|Eligible|Start|End|Elapsed|State|Restarts|Priority|"
    "NNodes|AllocTRES|ReqTRES|TimelimitRaw\n";

std::string Row(const std::string& id, const std::string& rest) {
  return id + "|hpc|gpu|ann|" + rest + "\n";
}

const char* const kGang =
    "2026-11-02T08:00:00|2026-11-02T09:00:00|2026-11-02T10:00:00|2026-11-02T12:00:00|02:00:00|"
    "COMPLETED|0|1000|4|billing=4,cpu=128,gres/gpu:h100=32,gres/gpu=32,mem=256G,node=4|"
    "cpu=128,gres/gpu=32,node=4|1440";

TEST(SacctJobsTest, AJobWaitsFromWhenItWasEligible) {
  const auto reading = ReadJobs(kHeader + Row("7", kGang));
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  const TrainingJob& job = reading.workload.jobs[0];
  EXPECT_EQ(job.submitted, At("2026-11-02T09:00:00Z"));
  EXPECT_EQ(job.started, At("2026-11-02T10:00:00Z"));
  EXPECT_EQ(job.run, Hours(2));
  EXPECT_EQ(job.pods, 4);
  EXPECT_EQ(job.shape.gpus, 8) << "gres/gpu and gres/gpu:h100 are the same GPUs";
  EXPECT_EQ(job.shape.cpu_milli, 32'000);
  EXPECT_EQ(job.shape.memory_mib, 65'536);
  EXPECT_EQ(reading.flavors, std::vector<std::string>{"h100"});
  EXPECT_EQ(job.time_limit, Hours(24));
  EXPECT_EQ(job.priority, 1'000);
  EXPECT_EQ(reading.workload.queues[job.queue], "gpu");
}

TEST(SacctJobsTest, AttemptsOfARequeuedJobAreOneJob) {
  const auto reading = ReadJobs(
      kHeader +
      Row("7",
          "2026-11-02T08:00:00|2026-11-02T08:00:00|2026-11-02T08:10:00|2026-11-02T09:10:00|"
          "01:00:00|NODE_FAIL|0|1|1|gres/gpu=8,node=1||60") +
      Row("7",
          "2026-11-02T08:00:00|2026-11-02T09:12:00|2026-11-02T10:00:00|2026-11-02T13:00:00|"
          "03:00:00|COMPLETED|1|1|1|gres/gpu=8,node=1||60"));
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  const TrainingJob& job = reading.workload.jobs[0];
  EXPECT_EQ(job.run, Hours(4));
  EXPECT_EQ(job.started, At("2026-11-02T08:10:00Z"));
  EXPECT_EQ(job.ended, At("2026-11-02T13:00:00Z"));
  EXPECT_EQ(job.end, JobEnd::kCompleted);
  EXPECT_EQ(reading.rows, 2);
  ASSERT_EQ(reading.notes.size(), 1U);
}

TEST(SacctJobsTest, JobsOfOneSecondStayInTheOrderOfTheirRows) {
  const auto reading = ReadJobs(kHeader + Row("9", kGang) + Row("10", kGang) + Row("8", kGang));
  ASSERT_EQ(reading.workload.jobs.size(), 3U);
  EXPECT_EQ(reading.workload.jobs[0].name, "9");
  EXPECT_EQ(reading.workload.jobs[1].name, "10");
  EXPECT_EQ(reading.workload.jobs[2].name, "8");
}

TEST(SacctJobsTest, StepsAreNoJobsAndTheRestIsLeftOutByReason) {
  const auto reading = ReadJobs(
      kHeader + Row("7", kGang) + Row("7.batch", kGang) +
      Row("8",
          "2026-11-02T08:00:00|Unknown|Unknown|Unknown|00:00:00|PENDING|0|1|1||gres/gpu=8|60") +
      Row("9",
          "2026-11-02T08:00:00|2026-11-02T08:00:00|2026-11-02T08:00:00|Unknown|01:00:00|"
          "RUNNING|0|1|1|gres/gpu=8,node=1||60") +
      Row("10",
          "2026-11-02T08:00:00|Unknown|Unknown|2026-11-02T09:00:00|00:00:00|"
          "CANCELLED by 7|0|1|1||gres/gpu=8|60"));
  EXPECT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(reading.rows, 4);
  EXPECT_EQ(reading.left_out.size(), 3U);
}

TEST(SacctJobsTest, LineBreaksWithinARowAreJoined) {
  const auto reading = ReadJobs(
      "JobID|State|Start|End|Elapsed|Submit|AllocTRES|SubmitLine|WorkDir\n"
      "1|COMPLETED|2026-11-02T08:00:00|2026-11-02T09:00:00|01:00:00|2026-11-02T08:00:00|"
      "gres/gpu=1,node=1|sbatch --wrap=a\nb\nc|/home\n"
      "2|COMPLETED|2026-11-02T08:00:00|2026-11-02T09:00:00|01:00:00|2026-11-02T08:00:00|cut\n"
      "3|COMPLETED|2026-11-02T08:00:00|2026-11-02T09:00:00|01:00:00|2026-11-02T08:00:00|"
      "gres/gpu=2,node=1|x|/home\n");
  EXPECT_EQ(reading.workload.jobs.size(), 2U);
  ASSERT_EQ(reading.refused.size(), 1U);
  EXPECT_EQ(reading.refused[0].line, 5) << "the short row alone, not the one below it";
}

TEST(SacctJobsTest, LimitsHaveTwoForms) {
  const auto limit = [](const std::string& text) {
    const auto reading = ReadJobs(
        "JobID|State|Start|Elapsed|Submit|AllocTRES|Timelimit\n"
        "1|COMPLETED|2026-11-02T08:00:00|01:00:00|2026-11-02T08:00:00|gres/gpu=1|" +
        text + "\n");
    return reading.workload.jobs[0].time_limit;
  };
  EXPECT_EQ(limit("2-00:00:00"), Days(2));
  EXPECT_FALSE(limit("UNLIMITED"));
  EXPECT_FALSE(limit("Partition_Limit"));
}

TEST(SacctJobsTest, AMissingColumnIsNamedWithTheRemedy) {
  const std::string error =
      SourceErrorOf({"s.psv", "JobID|State|Start|AllocTRES\n1|COMPLETED||\n"});
  EXPECT_TRUE(Says(error, "s.psv")) << error;
  EXPECT_TRUE(Says(error, "Elapsed")) << error;
}

TEST(SacctJobsTest, JsonSaysTheSame) {
  const auto reading = ReadJobs(
      R"({"jobs": [{"job_id": 7, "cluster": "hpc", "partition": "gpu", "user": "ann",
        "time": {"submission": 1793606400, "eligible": 1793610000, "start": 1793613600,
                 "end": 1793620800, "elapsed": 7200, "limit": {"set": true, "number": 1440}},
        "state": {"current": ["COMPLETED"]}, "allocation_nodes": 4,
        "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 32},
                               {"type": "node", "count": 4}]}}]})");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  const TrainingJob& job = reading.workload.jobs[0];
  EXPECT_EQ(job.submitted, AtSeconds(1'793'610'000));
  EXPECT_EQ(job.run, Hours(2));
  EXPECT_EQ(job.pods, 4);
  EXPECT_EQ(job.time_limit, Hours(24));
}

}  // namespace
}  // namespace plimsoll
