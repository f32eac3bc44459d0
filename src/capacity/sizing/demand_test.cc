#include "capacity/sizing/demand.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TrainingJob Job(std::int64_t submitted, std::int64_t run, std::int32_t pods, std::int32_t gpus) {
  TrainingJob job;
  job.submitted = AtMillis(submitted);
  job.run = Millis(run);
  job.pods = job.pods_min = pods;
  job.shape.gpus = gpus;
  return job;
}

TEST(DemandTest, AGangCountsAllItsPodsAndStartsWithItsFewest) {
  TrainingJob job = Job(5, 100, 4, 8);
  job.pods_min = 2;
  job.topology = {TopologyMode::kRequired, 1, 0, 0};
  job.shape.flavors = 0b10;
  job.deadline = AtMillis(300);
  const std::vector<Demand> demands = DemandOf(std::vector<TrainingJob>{job, Job(0, 1, 3, 0)});
  ASSERT_EQ(demands.size(), 1U);  // one without GPUs is no demand
  EXPECT_EQ(demands[0].gpu_milli, 32'000);
  EXPECT_EQ(demands[0].start_milli, 16'000);
  EXPECT_EQ(demands[0].flavors, FlavorSet{0b10});
  EXPECT_EQ(demands[0].level, 1U);
  EXPECT_EQ(demands[0].due, AtMillis(300));
  EXPECT_TRUE(WorkOf(demands) == 3'200'000);
}

TEST(DemandTest, AWishedForTopologyBindsNothing) {
  TrainingJob job = Job(0, 1, 1, 1);
  job.topology = {TopologyMode::kPreferred, 1, 0, 0};
  EXPECT_FALSE(DemandOf(std::vector<TrainingJob>{job})[0].level);
}

TEST(DemandTest, AWaitIsADeadlineAndTheEarlierOneHolds) {
  std::vector<TrainingJob> jobs = {Job(10, 100, 1, 1), Job(10, 100, 1, 1)};
  jobs[1].deadline = AtMillis(120);
  const std::vector<Demand> due = DueWithin(DemandOf(jobs), Millis(40));
  EXPECT_EQ(due[0].due, AtMillis(150));
  EXPECT_EQ(due[1].due, AtMillis(120));
}

TEST(DemandTest, TheWindowIsThatOfReleases) {
  const std::vector<TrainingJob> jobs = {Job(30, 1, 1, 1), Job(10, 100, 1, 1), Job(20, 1, 1, 1)};
  EXPECT_EQ(ReleaseWindow(DemandOf(jobs)), (Window{AtMillis(10), AtMillis(30)}));
  EXPECT_TRUE(ReleaseWindow({}).empty());
}

}  // namespace
}  // namespace plimsoll
