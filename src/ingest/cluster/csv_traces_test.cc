#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

TEST(CsvTracesTest, PhillySubsetRowsAreJobs) {
  const auto reading = ReadJobs(
      "timestamp,duration,num_gpus,gpu_time,cluster\n"
      "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n"
      "2017-10-09 06:13:03,10.5,16,168.0,6214e9\n");
  ASSERT_EQ(reading.workload.jobs.size(), 2U);
  const TrainingJob& first = reading.workload.jobs[0];
  EXPECT_EQ(first.submitted, At("2017-10-09T06:13:03Z"));
  EXPECT_EQ(first.run, Millis(10'500));
  EXPECT_EQ(first.pods, 2);
  EXPECT_EQ(first.shape.gpus, 8);
  EXPECT_EQ(reading.workload.queues[first.queue], "6214e9");
  EXPECT_FALSE(first.started) << "the subset does not say";
}

TEST(CsvTracesTest, ARowThatContradictsItselfIsRefusedWithItsTime) {
  const auto reading = ReadJobs(
      "timestamp,duration,num_gpus,gpu_time,cluster\n"
      "2017-10-09 07:01:55,3600,2,7200,a\n"
      "2017-10-09 07:01:55,3600,2,3600,a\n"
      "2017-10-09 07:01:55,x,2,3600,a\n");
  EXPECT_EQ(reading.workload.jobs.size(), 1U);
  ASSERT_EQ(reading.refused.size(), 2U);
  EXPECT_EQ(reading.refused[0].line, 3);
  EXPECT_EQ(reading.refused[0].field, "gpu_time");
  EXPECT_EQ(reading.refused_gpu_time(), WholeGpuHours(2)) << "of the other nothing is known";
  EXPECT_EQ(reading.rows, 3);
}

constexpr const char* kHelios =
    "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
    "queue\n";

TEST(CsvTracesTest, HeliosJobsLieOnTheirNodes) {
  const auto reading = ReadJobs(std::string(kHelios) +
                                "7,u1,vcA,32,160,4,COMPLETED,2020-04-01 00:00:00,2020-04-01 "
                                "00:10:00,2020-04-01 01:10:00,3600,600\n");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  const TrainingJob& job = reading.workload.jobs[0];
  EXPECT_EQ(job.pods, 4);
  EXPECT_EQ(job.shape.gpus, 8);
  EXPECT_EQ(job.shape.cpu_milli, 40'000);
  EXPECT_EQ(job.started, At("2020-04-01T00:10:00Z"));
  EXPECT_EQ(job.ended, At("2020-04-01T01:10:00Z"));
  EXPECT_EQ(job.end, JobEnd::kCompleted);
  EXPECT_EQ(job.user, "u1");
}

TEST(CsvTracesTest, MoreGpusOnANodeThanOneMayHaveAreSpread) {
  const auto reading = ReadJobs(std::string(kHelios) +
                                "7,u1,vcA,128,160,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 "
                                "00:10:00,2020-04-01 01:10:00,3600,600\n");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(reading.workload.jobs[0].pods, 16);
  EXPECT_EQ(reading.workload.jobs[0].shape.gpus, 8);
}

TEST(CsvTracesTest, HeliosJobsThatNeverStartedAreLeftOut) {
  const auto reading = ReadJobs(
      std::string(kHelios) +
      "1,u,v,1,4,1,CANCELLED,2020-04-01 00:00:00,,2020-04-01 00:10:00,0,600\n"
      "2,u,v,0,4,1,FAILED,2020-04-01 00:00:00,2020-04-01 00:00:01,2020-04-01 00:10:00,599,1\n"
      "3,u,v,1,4,1,FAILED,2020-04-01 00:00:02,2020-04-01 00:00:01,2020-04-01 00:10:00,599,1\n");
  EXPECT_EQ(reading.left_out.at("never started"), 1);
  ASSERT_EQ(reading.workload.jobs.size(), 1U) << "a job without GPUs is a job";
  EXPECT_EQ(reading.workload.jobs[0].shape.gpus, 0);
  ASSERT_EQ(reading.refused.size(), 1U);
  EXPECT_EQ(reading.refused[0].field, "start_time");
}

TEST(CsvTracesTest, AcmeJobsQueueByTheirType) {
  const auto reading = ReadJobs(
      "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,fail_time,"
      "stop_time,duration,queue,gpu_time\n"
      "5,u,16,128,1024,Pretrain,CANCELLED,2023-03-01 00:00:00+08:00,2023-03-01 00:00:10+08:00,"
      "2023-03-01 02:00:10+08:00,,,7200.0,10.0,921600.0\n");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(reading.workload.queues[0], "Pretrain");
  EXPECT_EQ(reading.workload.jobs[0].pods, 16);
  EXPECT_EQ(reading.workload.jobs[0].submitted, At("2023-02-28T16:00:00Z"));
  ASSERT_EQ(reading.notes.size(), 1U);
}

TEST(CsvTracesTest, PaiTasksAreGangsOfParts) {
  const auto reading = ReadJobs(
      "j1,worker,4,Terminated,100,460,600,29.5,50,V100\n"
      "j1,ps,1,Failed,100.0,160,600,29,,\n"
      "j2,tf,2,Terminated,100,160,600,29,200,MISC\n"
      "j3,tf,1,Running,100,,600,29,100,T4\n"
      "j4,tf,1,Waiting,,,600,29,100,T4\n");
  ASSERT_EQ(reading.workload.jobs.size(), 3U);
  const TrainingJob& part = reading.workload.jobs[0];
  EXPECT_EQ(part.name, "j1/worker");
  EXPECT_EQ(part.pods, 4);
  EXPECT_EQ(part.shape.gpus, 1);
  EXPECT_EQ(part.shape.gpu_milli, 500);
  EXPECT_EQ(part.shape.cpu_milli, 6'000);
  EXPECT_EQ(part.shape.memory_mib, 30'208);
  EXPECT_EQ(part.run, Seconds(360));
  EXPECT_EQ(reading.flavors, std::vector<std::string>({"V100", "T4"}));
  EXPECT_EQ(part.shape.flavors, FlavorSet{1});
  EXPECT_EQ(reading.workload.jobs[1].shape.gpus, 0);
  EXPECT_EQ(reading.workload.jobs[2].shape.gpus, 2);
  EXPECT_EQ(reading.workload.jobs[2].shape.flavors, kAnyFlavor);
  EXPECT_EQ(reading.left_out.size(), 2U);
}

TEST(CsvTracesTest, TiresiasJobsCountFromTheTracesStart) {
  const auto reading = ReadJobs(
      "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n"
      "1,8,30,133,vgg11,147,23\n0,1,0,606,vgg19,164,30\n");
  ASSERT_EQ(reading.workload.jobs.size(), 2U);
  EXPECT_EQ(reading.workload.jobs[0].name, "0");
  EXPECT_EQ(reading.workload.jobs[1].submitted, AtSeconds(30));
  EXPECT_EQ(reading.workload.jobs[1].shape.gpus, 8);
}

TEST(CsvTracesTest, AMissingColumnIsNamed) {
  const std::string error = SourceErrorOf({"t.csv", "job_id,num_gpu,submit_time\n0,1,0\n"});
  EXPECT_TRUE(Says(error, "t.csv lacks the columns duration")) << error;
}

TEST(CsvTracesTest, ARowOfTooManyFieldsIsRefused) {
  const auto reading =
      ReadJobs("job_id,num_gpu,submit_time,duration\n0,1,0,60\n1,1,0,60,7\n\"2,1,0,60\n");
  EXPECT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(reading.refused.size(), 2U);
}

}  // namespace
}  // namespace plimsoll
