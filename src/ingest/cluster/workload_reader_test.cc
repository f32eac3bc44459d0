#include "ingest/cluster/workload_reader.h"

#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

std::string FormatOf(const std::string& text) {
  const auto format = RecognizeWorkload({"f", text});
  EXPECT_TRUE(format) << text;
  return format ? WorkloadFormatNames()[static_cast<std::size_t>(*format)] : "";
}

TEST(WorkloadReaderTest, ContentTellsTheFormat) {
  const std::pair<const char*, const char*> files[] = {
      {"name,submit,gpus,run\na,0,1,60\n", "jobs"},
      {R"([{"name": "a", "submit": 0, "gpus": 1, "run": 60}])", "jobs"},
      {R"([{"status": "Pass", "vc": "v", "attempts": [], "submitted_time": "2017-10-09"}])",
       "philly"},
      {"timestamp,duration,num_gpus,gpu_time,cluster\n", "philly-sia"},
      {"job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time\n", "helios"},
      {"job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time\n", "acme"},
      {"job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_"
       "type\n",
       "pai"},
      {"j,worker,2,Terminated,1,2,600,29,50,V100\n", "pai"},
      {"A3C\t--max-steps\t100\t0.0\t1\n", "gavel"},
      {"job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n", "tiresias"},
      {"; Version: 2.2\n", "swf"},
      {"1 0 0 61 16 -1 -1 16 43200 819200 1 6 1 -1 -1 1 -1 -1\n", "swf"},
      {"JobID|State|Start|Elapsed|AllocTRES\n", "sacct"},
      {R"({"jobs": [{"job_id": 1, "tres": {}}]})", "sacct"},
      {"apiVersion: kueue.x-k8s.io/v1beta1\nkind: Workload\n", "kueue"},
      {R"({"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Workload"})", "kueue"},
      {R"({"nb_res": 4, "jobs": [], "profiles": {}})", "batsim"},
  };
  for (const auto& [text, format] : files) EXPECT_EQ(FormatOf(text), format) << text;
}

TEST(WorkloadReaderTest, WhatIsNoLogSaysWhatItLooksLike) {
  EXPECT_TRUE(Says(JobsErrorOf("hello\n"), "jobs.log is in no known format"));
  EXPECT_TRUE(Says(JobsErrorOf("hello\n"), "'hello'"));
  EXPECT_TRUE(Says(JobsErrorOf(" \n"), "is empty"));
  EXPECT_TRUE(Says(JobsErrorOf("{\"a\": 1}"), "JSON of no known format"));
}

TEST(WorkloadReaderTest, FormatsAreReadByName) {
  for (const std::string& name : WorkloadFormatNames()) {
    EXPECT_TRUE(ParseWorkloadFormat(name)) << name;
  }
  const auto wrong = ParseWorkloadFormat("parquet");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(Says(wrong.error().message, "philly-sia"));
}

TEST(WorkloadReaderTest, GpuTimeIsRunTimesGpus) {
  const auto reading = ReadJobs("submit,gpus,pods,run\n0,8,4,3600\n0,1,1,1800\n");
  EXPECT_EQ(reading.gpu_time(), WholeGpuHours(32) + GpuSeconds(1'800));
}

}  // namespace
}  // namespace plimsoll
