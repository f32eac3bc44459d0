#include "cli/week_jobs.h"

#include <gtest/gtest.h>

#include "cli/test_week.h"

namespace plimsoll {
namespace {

TEST(WeekJobsTest, GangHasWaitedWhenItsLastPodHasANode) {
  OccupancyFacts facts;
  AddPod(facts, {"gang", "n1", 8, 1, 2, 9});
  AddPod(facts, {"gang", "n2", 8, 1, 4, 9});
  AddPod(facts, {"gang", "n1", 8, 20, 21, 30});  // tried again
  const WeekJobs week = WeekJobsOf(facts, kTestWeek);
  ASSERT_EQ(week.jobs.size(), 2u);
  EXPECT_EQ(week.jobs[0].gpu_milli, 16'000);
  EXPECT_EQ(week.jobs[0].pods, 2);
  EXPECT_EQ(week.jobs[0].pod_milli, 8'000);
  EXPECT_EQ(Between(*week.jobs[0].queued, *week.jobs[0].begin), Hours(3));
  EXPECT_EQ(week.jobs[1].gpu_milli, 8'000);
}

TEST(WeekJobsTest, APodThatTwoSourcesSawIsOnePod) {
  OccupancyFacts facts;
  const std::size_t first = AddPod(facts, {"a", "n1", 4, 1, 2, 9});
  const std::size_t second = AddPod(facts, {"a", "n1", 4, 1, 2, 9, "Job", "kube-state-metrics"});
  facts.holdings.uid[second] = facts.holdings.uid[first];
  const WeekJobs week = WeekJobsOf(facts, kTestWeek);
  ASSERT_EQ(week.jobs.size(), 1u);
  EXPECT_EQ(week.jobs[0].gpu_milli, 4'000);
}

TEST(WeekJobsTest, PodsThatRunForGoodAreNoJobs) {
  OccupancyFacts facts;
  AddPod(facts, {"chat", "n1", 1, 0, 1, {}, "Deployment"});
  AddPod(facts, {"old", "n1", 1, -30, -20, {}, "Deployment"});
  const WeekJobs week = WeekJobsOf(facts, kTestWeek);
  EXPECT_TRUE(week.jobs.empty());
  EXPECT_EQ(week.service_pods, 1);
}

TEST(WeekJobsTest, UnknownWaitsAreCountedApartAndAreNeverZero) {
  OccupancyFacts facts;
  AddPod(facts, {"1", "n1", 8, {}, 4, 9, "", "slurm"});
  AddPod(facts, {"2", "n1", 8, 10, 12, 20, "", "slurm"});
  const WeekJobs week = WeekJobsOf(facts, kTestWeek);
  const std::vector<WaitsOfJobs> sizes = WaitsBySize(week.jobs, kTestWeek);
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_EQ(sizes[0].size, "8");
  EXPECT_EQ(sizes[0].started, 1);
  EXPECT_EQ(sizes[0].unknown, 1);
  ASSERT_TRUE(sizes[0].waits);
  EXPECT_EQ(sizes[0].waits->p50, Hours(2));
  EXPECT_EQ(sizes[0].waits->p95_low, std::nullopt);
  EXPECT_EQ(sizes[0].waited, WholeGpuHours(16));
}

TEST(WeekJobsTest, OnlyTheWeeksPartOfAWaitIsCounted) {
  OccupancyFacts facts;
  AddPod(facts, {"1", "n1", 8, -10, 2, 9, "", "slurm"});                    // two hours of it
  AddPod(facts, {"2", "n1", 8, 7 * 24 - 3, 7 * 24 + 90, {}, "", "slurm"});  // began later
  AddPending(facts, "3", 16, 8, 7 * 24 - 1);
  AddPending(facts, "4", 16, 8, 7 * 24 + 1);  // of the next week
  const WeekJobs week = WeekJobsOf(facts, kTestWeek);
  const std::vector<WaitsOfJobs> queues = WaitsByQueue(week.jobs, kTestWeek);
  ASSERT_EQ(queues.size(), 1u);
  EXPECT_EQ(queues[0].queue, "gpu");
  EXPECT_EQ(queues[0].started, 1);
  EXPECT_EQ(queues[0].waiting, 2);
  EXPECT_EQ(queues[0].waits->max, Hours(12));
  EXPECT_EQ(queues[0].waited, WholeGpuHours(8 * 2 + 8 * 3 + 16));
}

TEST(WeekJobsTest, TasksOfAnArrayThatWaitsAreJobsOfTheirOwn) {
  OccupancyFacts facts;
  const std::size_t row = AddPending(facts, "9_[1-4]", 8, 2, 100);
  facts.conditions.pending.reason[row] = "Priority";
  AddPending(facts, "10", 8, 0, 100);  // names no nodes
  const std::size_t held = AddPending(facts, "11", 8, 8, 100);
  facts.conditions.pending.reason[held] = "Dependency";  // waits for no GPU
  const WeekJobs week = WeekJobsOf(facts, kTestWeek);
  ASSERT_EQ(week.jobs.size(), 2u);
  EXPECT_EQ(week.jobs[0].pod_milli, 0);
  EXPECT_EQ(week.jobs[1].count, 4);
  EXPECT_EQ(week.jobs[1].gpu_milli, 2'000);
  const std::vector<WaitReason> reasons = ReasonsAt(week.jobs, kTestWeek.until);
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[1].reason, "Priority");
  EXPECT_EQ(reasons[1].jobs, 4);
  EXPECT_EQ(reasons[1].gpu_milli, 8'000);
}

TEST(WeekJobsTest, IntervalOfThe95thPercentileNeedsManyWaits) {
  OccupancyFacts facts;
  for (int i = 0; i < 100; ++i) {
    AddPod(facts, {std::to_string(i), "n1", 1, 0, i + 1, 160, "", "slurm"});
  }
  const WeekJobs week = WeekJobsOf(facts, kTestWeek);
  const std::vector<WaitsOfJobs> sizes = WaitsBySize(week.jobs, kTestWeek);
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_EQ(sizes[0].waits->p50, Hours(50));
  EXPECT_EQ(sizes[0].waits->p95, Hours(95));
  ASSERT_TRUE(sizes[0].waits->p95_low && sizes[0].waits->p95_high);
  EXPECT_LT(*sizes[0].waits->p95_low, Hours(95));
  EXPECT_GT(*sizes[0].waits->p95_high, Hours(95));
}

TEST(WeekJobsTest, SizesAreClassesOfWholeJobs) {
  EXPECT_STREQ(SizeClassOf(428), "<1");
  EXPECT_STREQ(SizeClassOf(1'000), "1");
  EXPECT_STREQ(SizeClassOf(7'000), "2-7");
  EXPECT_STREQ(SizeClassOf(8'000), "8");
  EXPECT_STREQ(SizeClassOf(31'000), "9-31");
  EXPECT_STREQ(SizeClassOf(32'000), "32+");
}

}  // namespace
}  // namespace plimsoll
