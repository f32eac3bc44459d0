#include "capacity/workload/occupancy_jobs.h"

#include <gtest/gtest.h>

#include <set>

#include "capacity/workload/test_occupancy.h"
#include "sim/random.h"

namespace plimsoll {
namespace {

Instant Minute(std::int64_t n) { return AtMillis(0) + Minutes(n); }

std::vector<EstimatedJob> Estimate(const std::vector<KnownJob>& jobs, std::size_t steps) {
  return EstimateJobs(SeriesOf(jobs, steps, 64), 0, steps, 1).jobs;
}

TEST(OccupancyJobsTest, AJobThatStartsAtOnceIsFound) {
  const auto jobs = Estimate({{3, 3, 7, 4}}, 10);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].gpus, 4);
  EXPECT_EQ(jobs[0].submitted, Minute(3));
  EXPECT_EQ(jobs[0].started, Minute(3));
  EXPECT_EQ(jobs[0].ended, Minute(7));
}

TEST(OccupancyJobsTest, AJobThatWaitsIsOneJob) {
  const auto jobs = Estimate({{2, 5, 9, 16}}, 12);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].submitted, Minute(2));
  EXPECT_EQ(jobs[0].started, Minute(5));
  EXPECT_EQ(jobs[0].ended, Minute(9));
  EXPECT_FALSE(jobs[0].cancelled);
}

TEST(OccupancyJobsTest, WhatLeavesTheQueueWithoutAStartWasCancelled) {
  const auto jobs = Estimate({{2, 6, 6, 8}}, 10);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_TRUE(jobs[0].cancelled);
  EXPECT_FALSE(jobs[0].started);
}

TEST(OccupancyJobsTest, JobsOfDifferentSizesInOneStepAreShared) {
  // 2 jobs with 6 GPUs: 3 each, as nothing tells 4 + 2.
  const auto jobs = Estimate({{1, 1, 5, 4}, {1, 1, 6, 2}}, 8);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].gpus + jobs[1].gpus, 6);
}

TEST(OccupancyJobsTest, AnExchangeIsSeenByItsGpus) {
  // A job of 2 GPUs ends in the step in which one of 5 starts: the number of jobs stays.
  const auto jobs = Estimate({{1, 1, 4, 2}, {4, 4, 8, 5}}, 10);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].ended, Minute(4));
  EXPECT_EQ(jobs[1].submitted, Minute(4));
  EXPECT_EQ(jobs[1].gpus, 5);
  EXPECT_EQ(jobs[1].ended, Minute(8));
}

TEST(OccupancyJobsTest, WhatRunsAtEitherEndIsCutOff) {
  const auto jobs = Estimate({{-5, -5, 4, 8}, {6, 6, 99, 8}, {7, 99, 100, 8}}, 10);
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_FALSE(jobs[0].submitted || jobs[0].started);
  EXPECT_EQ(jobs[0].ended, Minute(4));
  EXPECT_TRUE(jobs[1].started && !jobs[1].ended);
  EXPECT_TRUE(jobs[2].submitted && !jobs[2].started && !jobs[2].cancelled);
}

// Random jobs, one change a step or none: then nothing is guessed but which of equal jobs ended.
TEST(OccupancyJobsTest, GpuTimeOfRunsIsThatOfTheSeries) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed, "jobs", 0);
    std::vector<KnownJob> known;
    std::set<std::int64_t> taken;
    const auto free_step = [&](std::int64_t from) {
      while (!taken.insert(from).second) ++from;
      return from;
    };
    for (int i = 0; i < 60; ++i) {
      const auto submit = free_step(1 + static_cast<std::int64_t>(random.Below(800)));
      const bool waits = random.Below(3) == 0;
      const std::int64_t start =
          waits ? free_step(submit + 1 + static_cast<std::int64_t>(random.Below(30))) : submit;
      const std::int64_t end = free_step(start + 1 + static_cast<std::int64_t>(random.Below(60)));
      constexpr std::int32_t kSizes[] = {1, 2, 4, 8, 16, 32};
      known.push_back({submit, start, end, kSizes[random.Below(6)]});
    }
    const OccupancySeries series = SeriesOf(known, 1'200, 512);
    const OccupancyJobs jobs = EstimateJobs(series, 0, 1'200, seed);
    std::int64_t seen = 0, ran = 0, waited = 0, queued = 0;
    for (std::size_t t = 0; t < 1'200; ++t) {
      seen += series.running(t);
      queued += series.pending(t);
    }
    for (const EstimatedJob& job : jobs.jobs) {
      ASSERT_TRUE(job.submitted && job.started && job.ended);
      ran += job.gpus * Between(*job.started, *job.ended).base() / 60'000;
      waited += job.gpus * Between(*job.submitted, *job.started).base() / 60'000;
    }
    EXPECT_EQ(jobs.jobs.size(), known.size());
    EXPECT_EQ(ran, seen);
    EXPECT_EQ(waited, queued);
    EXPECT_EQ(jobs.steps_of_more, 0);
  }
}

// With several changes in many steps sizes are shared out, and little is lost.
TEST(OccupancyJobsTest, CrowdedStepsLoseLittle) {
  double seen = 0, ran = 0, jobs = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomStream random(seed, "jobs", 0);
    std::vector<KnownJob> known;
    for (int i = 0; i < 60; ++i) {
      const auto submit = 1 + static_cast<std::int64_t>(random.Below(400));
      const auto run = 1 + static_cast<std::int64_t>(random.Below(60));
      constexpr std::int32_t kSizes[] = {1, 2, 4, 8, 16, 32};
      known.push_back({submit, submit, submit + run, kSizes[random.Below(6)]});
    }
    const OccupancySeries series = SeriesOf(known, 600, 512);
    const OccupancyJobs found = EstimateJobs(series, 0, 600, seed);
    for (std::size_t t = 0; t < 600; ++t) seen += series.running(t);
    for (const EstimatedJob& job : found.jobs) {
      if (job.started && job.ended) {
        ran += static_cast<double>(job.gpus * Between(*job.started, *job.ended).base()) / 60'000;
      }
    }
    jobs += static_cast<double>(found.jobs.size());
  }
  EXPECT_NEAR(ran / seen, 1, 0.06);
  EXPECT_NEAR(jobs / (30 * 60), 1, 0.05);
}

}  // namespace
}  // namespace plimsoll
