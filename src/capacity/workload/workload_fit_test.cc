#include "capacity/workload/workload_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "sim/distributions.h"

namespace plimsoll {
namespace {

const Window kMonth{AtSeconds(1'793'577'600), AtSeconds(1'793'577'600) + Days(28)};

TrainingJob Job(std::uint32_t queue, Instant at, std::int32_t gpus, Duration run) {
  TrainingJob job;
  job.queue = queue;
  job.submitted = at;
  job.shape.gpus = gpus;
  job.run = run;
  return job;
}

// Two queues: small jobs of an hour each ten minutes, and 8-GPU jobs of ten hours each five hours.
TrainingWorkload Source() {
  TrainingWorkload workload;
  workload.queues = {"small", "large", "empty"};
  RandomStream random(3, "source", 0);
  for (Instant at = kMonth.begin; at < kMonth.until;) {
    workload.jobs.push_back(Job(0, at, 1, Hours(1)));
    at = at + Millis(static_cast<std::int64_t>(DrawExponential(random, 6e5)));
  }
  for (Instant at = kMonth.begin + Hours(1); at < kMonth.until;) {
    workload.jobs.push_back(Job(1, at, 8, Hours(10)));
    at = at + Millis(static_cast<std::int64_t>(DrawExponential(random, 1.8e7)));
  }
  std::stable_sort(workload.jobs.begin(), workload.jobs.end(),
                   [](const auto& a, const auto& b) { return a.submitted < b.submitted; });
  return workload;
}

double GpuHoursIn(const TrainingWorkload& workload) {
  double sum = 0;
  for (const TrainingJob& job : workload.jobs) {
    sum +=
        static_cast<double>(GpuMilli(job)) / 1'000 * (static_cast<double>(job.run.base()) / 3.6e6);
  }
  return sum;
}

TEST(WorkloadFitTest, SizesHaveTheirClass) {
  const std::pair<std::int32_t, const char*> sizes[] = {{0, "0"},      {1, "1"},      {2, "2"},
                                                        {3, "3-4"},    {8, "5-8"},    {9, "9-16"},
                                                        {32, "17-32"}, {33, "33-64"}, {65, ">64"}};
  for (const auto& [gpus, name] : sizes) {
    EXPECT_STREQ(SizeClassName(SizeClassOf(Job(0, {}, gpus, {}))), name) << gpus;
  }
  TrainingJob part = Job(0, {}, 1, {});
  part.shape.gpu_milli = 250;
  EXPECT_STREQ(SizeClassName(SizeClassOf(part)), "<1");
}

TEST(WorkloadFitTest, ADrawOffersWhatTheSourceDid) {
  const TrainingWorkload source = Source();
  const WorkloadFit fit = FitWorkload(source, kMonth);
  ASSERT_EQ(fit.queues.size(), 2U) << "a queue without jobs has no fit";
  EXPECT_NEAR(fit.offered_gpus(), GpuHoursIn(source) / (28 * 24), 1e-9);
  double offered = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    offered += GpuHoursIn(DrawWorkload(fit, {.window = kMonth, .replication = i})) / (28 * 24) / 20;
  }
  EXPECT_NEAR(offered / fit.offered_gpus(), 1, 0.05);
  const auto twice = DrawWorkload(fit, {.window = kMonth, .scale = 2});
  EXPECT_NEAR(GpuHoursIn(twice) / GpuHoursIn(source), 2, 0.25);
}

TEST(WorkloadFitTest, SizesAndRunTimesStayTogether) {
  const auto drawn = DrawWorkload(FitWorkload(Source(), kMonth), {.window = kMonth});
  for (const TrainingJob& job : drawn.jobs) {
    EXPECT_EQ(job.run, job.shape.gpus == 8 ? Hours(10) : Hours(1));
    EXPECT_EQ(job.queue, job.shape.gpus == 8 ? 1U : 0U);
    EXPECT_FALSE(job.started || job.ended);
    EXPECT_TRUE(kMonth.contains(job.submitted));
  }
}

TEST(WorkloadFitTest, TheSameDrawIsTheSameWorkload) {
  const WorkloadFit fit = FitWorkload(Source(), kMonth);
  const auto times = [&](std::uint64_t seed, std::uint64_t replication) {
    std::vector<std::int64_t> at;
    const WorkloadDraw draw{.window = kMonth, .seed = seed, .replication = replication};
    for (const TrainingJob& job : DrawWorkload(fit, draw).jobs) at.push_back(job.submitted.base());
    return at;
  };
  EXPECT_EQ(times(1, 0), times(1, 0));
  EXPECT_NE(times(1, 0), times(1, 1));
  EXPECT_NE(times(1, 0), times(2, 0));
}

TEST(WorkloadFitTest, AQueueMoreLeavesTheOthersDrawsAsTheyWere) {
  TrainingWorkload source = Source();
  const auto small = [](const TrainingWorkload& workload) {
    std::vector<std::int64_t> at;
    for (const TrainingJob& job : workload.jobs) {
      if (job.queue == 0) at.push_back(job.submitted.base());
    }
    return at;
  };
  const auto before = small(DrawWorkload(FitWorkload(source, kMonth), {.window = kMonth}));
  for (int i = 0; i < 50; ++i) {
    source.jobs.push_back(Job(2, kMonth.until - Minutes(100 - i), 4, Hours(2)));
  }
  EXPECT_EQ(before, small(DrawWorkload(FitWorkload(source, kMonth), {.window = kMonth})));
}

TEST(WorkloadFitTest, JobsSubmittedTogetherComeTogether) {
  TrainingWorkload source;
  source.queues = {"q"};
  for (int sweep = 0; sweep < 60; ++sweep) {
    for (int i = 0; i < 10; ++i) {
      TrainingJob job = Job(0, kMonth.begin + Hours(11 * sweep) + Seconds(5 * i), 2, Minutes(30));
      job.user = "ann";
      source.jobs.push_back(job);
    }
  }
  const WorkloadFit fit = FitWorkload(source, kMonth);
  EXPECT_EQ(fit.queues[0].arrivals.count, 60);
  EXPECT_EQ(fit.queues[0].classes[0].batches, std::vector<std::uint32_t>(60, 10));
  std::map<std::int64_t, int> at;
  for (const auto& job : DrawWorkload(fit, {.window = kMonth}).jobs) ++at[job.submitted.base()];
  for (const auto& [time, jobs] : at) EXPECT_EQ(jobs % 10, 0) << time;
}

TEST(WorkloadFitTest, DeadlinesMoveWithTheJob) {
  TrainingWorkload source;
  source.queues = {"q"};
  for (int i = 0; i < 100; ++i) {
    TrainingJob job = Job(0, kMonth.begin + Hours(i), 8, Hours(2));
    job.deadline = job.submitted + Hours(30);
    job.time_limit = Hours(4);
    source.jobs.push_back(job);
  }
  const auto drawn = DrawWorkload(FitWorkload(source, kMonth), {.window = kMonth});
  ASSERT_FALSE(drawn.jobs.empty());
  for (const TrainingJob& job : drawn.jobs) {
    EXPECT_EQ(Between(job.submitted, *job.deadline), Hours(30));
    EXPECT_EQ(job.time_limit, Hours(4));
  }
}

TEST(WorkloadFitTest, ATraceScalesByWholeAndPart) {
  const TrainingWorkload source = Source();
  EXPECT_EQ(ScaleTrace(source, 1, 1).jobs.size(), source.jobs.size());
  EXPECT_EQ(ScaleTrace(source, 3, 1).jobs.size(), 3 * source.jobs.size());
  EXPECT_TRUE(ScaleTrace(source, 0, 1).jobs.empty());
  const auto part = ScaleTrace(source, 1.25, 1);
  EXPECT_NEAR(static_cast<double>(part.jobs.size()) / static_cast<double>(source.jobs.size()), 1.25,
              0.03);
  EXPECT_TRUE(std::is_sorted(part.jobs.begin(), part.jobs.end(), [](const auto& a, const auto& b) {
    return a.submitted < b.submitted;
  }));
}

TEST(WorkloadFitTest, ShiftingKeepsDistances) {
  TrainingWorkload workload;
  workload.queues = {"q"};
  workload.jobs = {Job(0, AtSeconds(100), 1, Hours(1)), Job(0, AtSeconds(160), 1, Hours(1))};
  workload.jobs[1].started = AtSeconds(200);
  ShiftTo(AtSeconds(1'000), workload);
  EXPECT_EQ(workload.jobs[0].submitted, AtSeconds(1'000));
  EXPECT_EQ(workload.jobs[1].submitted, AtSeconds(1'060));
  EXPECT_EQ(workload.jobs[1].started, AtSeconds(1'100));
}

}  // namespace
}  // namespace plimsoll
