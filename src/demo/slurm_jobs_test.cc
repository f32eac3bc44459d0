#include <algorithm>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

std::size_t JobsWith(const std::string& state) {
  return static_cast<std::size_t>(std::count_if(
      Week().jobs.begin(), Week().jobs.end(),
      [&](const DemoJob& job) { return job.state.substr(0, job.state.find(' ')) == state; }));
}

TEST(SlurmJobsTest, EveryKindOfEndIsThere) {
  for (const char* state : {"COMPLETED", "CANCELLED", "FAILED", "REQUEUED"}) {
    EXPECT_GE(JobsWith(state), 1U) << state;
  }
  EXPECT_EQ(JobsWith("PENDING"), 1U);
}

TEST(SlurmJobsTest, RequeuedJobRunsTwiceUnderOneId) {
  for (const DemoJob& job : Week().jobs) {
    if (job.state != "REQUEUED") continue;
    const auto runs = std::count_if(Week().jobs.begin(), Week().jobs.end(),
                                    [&](const DemoJob& other) { return other.id == job.id; });
    EXPECT_LE(runs, 2);
    EXPECT_GE(runs, 1);
  }
}

TEST(SlurmJobsTest, ArrayTasksHaveTheArraysIdAndTheirOwnRawId) {
  std::size_t tasks = 0;
  for (const DemoJob& job : Week().jobs) {
    if (job.id.find('_') == std::string::npos) continue;
    ++tasks;
    EXPECT_EQ(job.raw_id.find('_'), std::string::npos);
  }
  EXPECT_GE(tasks, 8U);
}

TEST(SlurmJobsTest, SmallFleetHasNone) { EXPECT_TRUE(MakeFleet(16, 1).jobs.empty()); }

TEST(SlurmJobsTest, ARequeuedJobIsOneRunOfTwoAttempts) {
  bool requeued = false;
  for (const DemoRun& run : Week().runs) {
    if (run.experiment != "dock") continue;
    EXPECT_LE(run.attempts.size(), 2U) << run.id;
    requeued = requeued || (run.attempts.size() == 2 && run.attempts.front().failed);
  }
  EXPECT_TRUE(requeued);
}

}  // namespace
}  // namespace plimsoll
