#include "capacity/workload/workload_summary.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TrainingWorkload Jobs() {
  TrainingWorkload workload;
  workload.queues = {"a", "b"};
  for (int i = 0; i < 120; ++i) {
    TrainingJob job;
    job.queue = i % 2 == 0 ? 0 : 1;
    job.submitted = AtMillis(0) + Minutes(10 * i);
    job.shape.gpus = i % 2 == 0 ? 1 : 8;
    job.run = Hours(i % 2 == 0 ? 1 : 4);
    if (i % 2 == 0) job.started = job.submitted + Minutes(i / 2);
    workload.jobs.push_back(job);
  }
  return workload;
}

TEST(WorkloadSummaryTest, RowsAddUpHoweverTheyAreCut) {
  for (const SummaryBy by : {SummaryBy::kSize, SummaryBy::kQueue, SummaryBy::kQueueAndSize}) {
    const auto rows = SummarizeJobs(Jobs(), by);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].jobs + rows[1].jobs, 120);
    EXPECT_EQ(rows[0].gpu_time + rows[1].gpu_time, WholeGpuHours(60 + 60 * 32));
    EXPECT_EQ(rows[0].queue.has_value(), by != SummaryBy::kSize);
    EXPECT_EQ(rows[0].size.has_value(), by != SummaryBy::kQueue);
    EXPECT_EQ(rows[0].run_mean, Hours(1));
  }
}

TEST(WorkloadSummaryTest, WaitsAreThoseOnRecord) {
  const auto rows = SummarizeJobs(Jobs(), SummaryBy::kSize);
  EXPECT_EQ(rows[0].size, "1");
  EXPECT_EQ(rows[0].waits, 60);
  EXPECT_EQ(rows[0].wait_median, Minutes(29));
  EXPECT_EQ(rows[0].wait_p95, Minutes(56));
  EXPECT_EQ(rows[0].wait_bound, Minutes(59)) << "of 60 the largest is the bound";
  EXPECT_EQ(rows[1].waits, 0);
  EXPECT_FALSE(rows[1].wait_median || rows[1].wait_bound);
}

TEST(WorkloadSummaryTest, ArrivalsAreThoseOfTheFit) {
  const TrainingWorkload jobs = Jobs();
  const auto window = WindowOf(jobs);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->length(), Hours(20));
  const WorkloadFit fit = FitWorkload(jobs, *window);
  const auto rows = SummarizeArrivals(fit);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].submissions, 60);
  EXPECT_EQ(rows[0].per_hour, 3'000'000'000);
  EXPECT_EQ(rows[0].ca2, 0) << "one each twenty minutes";
  EXPECT_EQ(OfferedMilliGpus(fit), (60 + 60 * 32) * 1'000 / 20);
  EXPECT_FALSE(WindowOf({}));
}

}  // namespace
}  // namespace plimsoll
