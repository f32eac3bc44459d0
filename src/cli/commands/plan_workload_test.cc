#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using nlohmann::json;

std::string Jobs() {
  std::string csv = "name,queue,submit,pods,gpus,run,started\n";
  for (int i = 0; i < 60; ++i) {
    const std::string submit = std::to_string(1'793'577'600 + 600 * i);
    const std::string start = std::to_string(1'793'577'600 + 600 * i + i);
    csv += "s" + std::to_string(i) + ",small," + submit + ",1,1,1h," + start + "\n";
    if (i % 10 == 0) csv += "l" + std::to_string(i) + ",large," + submit + ",4,8,5h,\n";
  }
  return csv + "bad,small,1793577600,1,1,,\n";
}

TEST(PlanWorkloadTest, JobsAreShownByTheirSize) {
  TestIo io("plan-workload");
  io.Write("jobs.csv", Jobs());
  const Ran ran = io.Run({"plan", "workload", "jobs.csv", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json answer = json::parse(ran.out);
  EXPECT_EQ(answer["format"], "jobs");
  EXPECT_EQ(answer["jobs"], 66);
  EXPECT_EQ(answer["rows"], 67);
  EXPECT_EQ(answer["rows_refused"], 1);
  EXPECT_EQ(answer["gpu_hours"], "1020.000000000");
  ASSERT_EQ(answer["classes"].size(), 2U);
  EXPECT_EQ(answer["classes"][1]["gpus"], "17-32");
  EXPECT_EQ(answer["classes"][1]["jobs"], 6);
  EXPECT_EQ(answer["classes"][1]["median_s"], 18'000);
  ASSERT_EQ(answer["waits"].size(), 1U);
  EXPECT_EQ(answer["waits"][0]["p95_bound_s"], 59);
  EXPECT_EQ(answer["arrivals"][0]["submissions"], 60);
  EXPECT_EQ(answer["refused"][0]["field"], "run");
}

TEST(PlanWorkloadTest, QueuesAndTheClusterStandBeside) {
  TestIo io("plan-workload-cluster");
  io.Write("jobs.csv", Jobs());
  io.Write("cluster.yaml", "groups:\n- {name: h100, nodes: 16, gpus: 8}\n");
  const Ran ran =
      io.Run({"plan", "workload", "jobs.csv", "--cluster", "cluster.yaml", "--by", "queue,gpus"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("GPUs on average of 128"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("large"), std::string::npos);
}

TEST(PlanWorkloadTest, MetricsOfWaitsAreIntervals) {
  TestIo io("plan-workload-waits");
  io.Write("jobs.csv", Jobs());
  io.Write("m.prom",
           "kueue_admission_wait_time_seconds_bucket{cluster_queue=\"a\",le=\"1\"} 10\n"
           "kueue_admission_wait_time_seconds_bucket{cluster_queue=\"a\",le=\"2.5\"} 19\n"
           "kueue_admission_wait_time_seconds_bucket{cluster_queue=\"a\",le=\"+Inf\"} 20\n");
  const Ran ran = io.Run({"plan", "workload", "jobs.csv", "--waits", "m.prom", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json row = json::parse(ran.out)["wait_metrics"][0];
  EXPECT_EQ(row["p95_s"]["low"], 1);
  EXPECT_EQ(row["p95_s"]["high"], 2.5);
}

TEST(PlanWorkloadTest, WhatIsWrongIsSaid) {
  TestIo io("plan-workload-wrong");
  EXPECT_EQ(io.Run({"plan", "workload", "none.csv"}).code, 3);
  io.Write("jobs.csv", "hello\n");
  const Ran unknown = io.Run({"plan", "workload", "jobs.csv"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_NE(unknown.err.find("no known format"), std::string::npos);
  EXPECT_EQ(io.Run({"plan", "workload", "jobs.csv", "--gpus-per-node", "0"}).code, 2);
  EXPECT_EQ(io.Run({"plan", "workload", "jobs.csv", "--jobs-format", "xml"}).code, 2);
}

TEST(PlanWorkloadWindowTest, AWindowIsOfTheDatabaseAndNotOfAFile) {
  TestIo io("plan-workload-window");
  const Ran ran = io.Run({"plan", "workload", "jobs.csv", "--window", "lastweek"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("--window is of the database"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
