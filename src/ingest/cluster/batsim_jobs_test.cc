#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

TEST(BatsimJobsTest, ADelayIsARun) {
  const auto reading = ReadJobs(
      R"({"nb_res": 32, "jobs": [
        {"id": 1, "profile": "p", "res": 16, "subtime": 4.709164, "walltime": 149},
        {"id": "w0!2", "profile": "q", "res": 1, "subtime": 0, "walltime": -1}],
       "profiles": {"p": {"type": "delay", "delay": 88.51},
                    "q": {"type": "DelayProfile", "delay": 3}}})");
  ASSERT_EQ(reading.workload.jobs.size(), 2U);
  EXPECT_EQ(reading.workload.jobs[0].name, "w0!2");
  EXPECT_FALSE(reading.workload.jobs[0].time_limit);
  const TrainingJob& job = reading.workload.jobs[1];
  EXPECT_EQ(job.submitted, AtMillis(4'709));
  EXPECT_EQ(job.run, Millis(88'510));
  EXPECT_EQ(job.time_limit, Seconds(149));
  EXPECT_EQ(job.pods, 2);
}

TEST(BatsimJobsTest, OtherProfilesAreRefusedForTheirTimeIsUnknown) {
  const auto reading = ReadJobs(
      R"({"nb_res": 4, "jobs": [
        {"id": 1, "profile": "p", "res": 1, "subtime": 0},
        {"id": 2, "profile": "m", "res": 1, "subtime": 0},
        {"id": 3, "profile": "none", "res": 1, "subtime": 0}, 5],
       "profiles": {"p": {"type": "delay", "delay": 1},
                    "m": {"type": "parallel_homogeneous", "cpu": 1e9}}})");
  EXPECT_EQ(reading.workload.jobs.size(), 1U);
  ASSERT_EQ(reading.refused.size(), 3U);
  EXPECT_TRUE(Says(reading.refused[0].reason, "parallel_homogeneous"));
  EXPECT_EQ(reading.refused[0].field, "jobs[1].profile");
  EXPECT_TRUE(Says(reading.refused[1].reason, "does not have"));
}

TEST(BatsimJobsTest, AFileWithoutProfilesIsAnError) {
  EXPECT_TRUE(Says(JobsErrorOf(R"({"nb_res": 4, "jobs": []})"), "object `profiles`"));
}

}  // namespace
}  // namespace plimsoll
