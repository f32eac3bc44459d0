#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

TEST(SwfTraceTest, AJobHasItsWaitItsLimitAndItsOrigin) {
  const auto reading = ReadJobs(
      "; Version: 2.2\n; UnixStartTime: 843480031\n"
      "  184 561553 100 61 16 -1 -1 16 43200 819200 1 6 1 -1 3 1 -1 -1\n");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  const TrainingJob& job = reading.workload.jobs[0];
  EXPECT_EQ(job.submitted, AtSeconds(843'480'031 + 561'553));
  EXPECT_EQ(job.started, job.submitted + Seconds(100));
  EXPECT_EQ(job.run, Seconds(61));
  EXPECT_EQ(job.time_limit, Hours(12));
  EXPECT_EQ(GpuMilli(job), 16'000);
  EXPECT_EQ(job.end, JobEnd::kCompleted);
  EXPECT_EQ(reading.workload.queues[job.queue], "3");
}

TEST(SwfTraceTest, MinusOneIsUnknown) {
  const auto reading = ReadJobs(
      "1 0 -1 61 -1 -1 -1 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
      "2 0 5 -1 4 -1 -1 4 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\n"
      "3 0 5 10 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      "4 0 5 10 4 -1 -1 4 -1 -1 2 -1 -1 -1 -1 -1 -1 -1\n");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  const TrainingJob& job = reading.workload.jobs[0];
  EXPECT_FALSE(job.started || job.time_limit);
  EXPECT_EQ(GpuMilli(job), 4'000) << "what it requested";
  EXPECT_EQ(reading.left_out.at("no run time on record"), 1);
  EXPECT_EQ(reading.left_out.at("part of a job that has a line of its own"), 1);
  ASSERT_EQ(reading.refused.size(), 1U);
  EXPECT_EQ(reading.refused[0].field, "processors");
}

TEST(SwfTraceTest, AVariantSeparatesBySemicolons) {
  WorkloadSource source{
      "w.swf", "1001;0;-1;15;12;-1;-1;-1;420;-1;-1;user5;account2;-1;normal;normal;;-1;\n"};
  source.format = WorkloadFormat::kSwf;
  const auto reading = ReadSource(source);
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(reading.workload.jobs[0].user, "user5");
  EXPECT_EQ(reading.workload.jobs[0].time_limit, Seconds(420));
}

TEST(SwfTraceTest, ALineOfOtherFieldsIsRefusedWithItsNumber) {
  WorkloadSource source{"w.swf", "1 0 0 61 16 -1 -1 16 43200 819200 1 6 1 -1 -1 1 -1 -1\n1 2 3\n"};
  const auto reading = ReadSource(source);
  ASSERT_EQ(reading.refused.size(), 1U);
  EXPECT_EQ(reading.refused[0].line, 2);
}

}  // namespace
}  // namespace plimsoll
