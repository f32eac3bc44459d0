#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

std::string Attempt(const std::string& begin, const std::string& end, const std::string& detail) {
  return R"({"start_time": )" + begin + R"(, "end_time": )" + end + R"(, "detail": [)" + detail +
         "]}";
}

std::string Job(const std::string& id, const std::string& attempts) {
  return R"({"status": "Pass", "vc": "ee9e8c", "jobid": ")" + id + R"(", "user": "u", )" +
         R"("submitted_time": "2017-10-09 07:01:55", "attempts": [)" + attempts + "]}";
}

const char* const kEight = R"({"ip": "m1", "gpus": ["gpu0","gpu1","gpu2","gpu3"]},
                              {"ip": "m2", "gpus": ["gpu0","gpu1","gpu2","gpu3"]})";
const char* const kThree =
    R"({"ip": "m1", "gpus": ["gpu0","gpu1"]}, {"ip": "m2", "gpus": ["gpu3"]})";

TEST(PhillyJobsTest, AttemptsAreOneJobOfAllTheirTime) {
  const auto reading = ReadJobs(
      "[" +
      Job("a", Attempt("\"2017-10-09 08:00:00\"", "\"2017-10-09 09:00:00\"", kEight) + "," +
                   Attempt("\"2017-10-09 10:00:00\"", "\"2017-10-09 10:30:00\"", kThree)) +
      "]");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  const TrainingJob& job = reading.workload.jobs[0];
  EXPECT_EQ(job.pods, 2);
  EXPECT_EQ(job.shape.gpus, 4);
  EXPECT_EQ(job.run, Minutes(90));
  EXPECT_EQ(job.started, At("2017-10-09T08:00:00Z"));
  EXPECT_EQ(job.ended, At("2017-10-09T10:30:00Z"));
  EXPECT_EQ(job.end, JobEnd::kCompleted);
}

TEST(PhillyJobsTest, UnequalMachinesAreSpread) {
  const auto reading = ReadJobs(
      "[" + Job("a", Attempt("\"2017-10-09 08:00:00\"", "\"2017-10-09 09:00:00\"", kThree)) + "]");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(GpuMilli(reading.workload.jobs[0]), 3'000);
}

TEST(PhillyJobsTest, WhatIsNotKnownIsLeftOutByReason) {
  const auto reading = ReadJobs(
      "[" + Job("a", Attempt("\"2017-10-09 08:00:00\"", "\"2017-10-09 09:00:00\"", kEight)) + "," +
      Job("b", "") + "," + Job("c", Attempt("null", "null", "")) + "," +
      Job("d", Attempt("\"2017-10-09 08:00:00\"", "null", kEight)) + "," +
      Job("e", Attempt("\"2017-10-09 08:00:00\"", "\"2017-10-09 09:00:00\"", "")) + "]");
  EXPECT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(reading.left_out.at("never started"), 2);
  EXPECT_EQ(reading.left_out.at("still running: its run time is not known"), 1);
  EXPECT_EQ(reading.left_out.at("no GPUs on record"), 1);
  EXPECT_EQ(reading.rows, 5);
}

TEST(PhillyJobsTest, AnImpossibleJobIsRefusedWithItsPlaceAndTime) {
  const auto reading = ReadJobs(
      "[" + Job("a", Attempt("\"2017-10-09 08:00:00\"", "\"2017-10-09 09:00:00\"", kEight)) + "," +
      Job("b", Attempt("\"2017-10-09 06:00:00\"", "\"2017-10-09 07:00:00\"", kEight)) + ", 7]");
  ASSERT_EQ(reading.refused.size(), 2U);
  EXPECT_TRUE(Says(reading.refused[0].field, "[1]"));
  EXPECT_TRUE(Says(reading.refused[0].field, "submitted_time"));
  EXPECT_EQ(reading.refused_gpu_time(), WholeGpuHours(8));
}

TEST(PhillyJobsTest, AFileThatWasCutShortIsAnError) {
  const std::string text =
      "[" + Job("a", Attempt("\"2017-10-09 08:00:00\"", "\"2017-10-09 09:00:00\"", kEight));
  EXPECT_TRUE(Says(JobsErrorOf(text), "whole JSON"));
}

}  // namespace
}  // namespace plimsoll
