#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

std::string Workload(const std::string& name, const std::string& spec, const std::string& status) {
  return "apiVersion: kueue.x-k8s.io/v1beta1\nkind: Workload\nmetadata: {name: " + name +
         ", namespace: team, creationTimestamp: \"2026-11-02T08:00:00Z\"}\n" + spec + status +
         "---\n";
}

const char* const kSpec = R"(spec:
  priority: 100
  queueName: user-queue
  maximumExecutionTimeSeconds: 86400
  podSets:
  - name: launcher
    count: 1
    template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
  - name: main
    count: 4
    minCount: 2
    topologyRequest: {required: rack}
    template: {spec: {containers: [{name: c, resources: {requests: {
      cpu: 32, memory: 64Gi, nvidia.com/gpu: 8}}}]}}
)";

std::string Conditions(const std::string& rest) {
  return R"(status:
  admission:
    clusterQueue: cq
    podSetAssignments: [{name: main, flavors: {cpu: h100, nvidia.com/gpu: h100}}]
  conditions:
  - {type: QuotaReserved, status: "True", lastTransitionTime: "2026-11-02T08:05:00Z"}
  - {type: Admitted, status: "True", lastTransitionTime: "2026-11-02T08:06:00Z"}
)" + rest;
}

const char* const kFinished =
    "  - {type: Finished, status: \"True\", reason: Succeeded, lastTransitionTime: "
    "\"2026-11-02T12:06:00Z\"}\n";

TEST(KueueJobsTest, ACountBeyondAllCountsIsRefusedBeforeItIsAdded) {
  const std::string spec = R"(spec:
  podSets:
  - {name: a, count: 9223372036854775807, template: {spec: {containers: []}}}
  - {name: b, count: 1, template: {spec: {containers: []}}}
)";
  const auto reading = ReadJobs(Workload("w", kSpec, Conditions(kFinished)) +
                                Workload("x", spec, Conditions(kFinished)));
  EXPECT_EQ(reading.workload.jobs.size(), 1U);
  ASSERT_EQ(reading.refused.size(), 1U);
  EXPECT_EQ(reading.refused[0].field, "spec.podSets[0].count");
}

TEST(KueueJobsTest, AFinishedWorkloadIsAJob) {
  const auto reading = ReadJobs(Workload("w", kSpec, Conditions(kFinished)));
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  const TrainingJob& job = reading.workload.jobs[0];
  EXPECT_EQ(job.name, "team/w");
  EXPECT_EQ(reading.workload.queues[job.queue], "cq");
  EXPECT_EQ(job.priority, 100);
  EXPECT_EQ(job.pods, 4);
  EXPECT_EQ(job.pods_min, 2);
  EXPECT_EQ(job.shape.gpus, 8);
  EXPECT_EQ(job.shape.cpu_milli, 32'000);
  EXPECT_EQ(job.shape.memory_mib, 65'536);
  EXPECT_EQ(job.topology.mode, TopologyMode::kRequired);
  EXPECT_EQ(reading.levels, std::vector<std::string>{"rack"});
  EXPECT_EQ(job.started, At("2026-11-02T08:06:00Z"));
  EXPECT_EQ(job.run, Hours(4));
  EXPECT_EQ(job.time_limit, Hours(24));
  EXPECT_EQ(job.end, JobEnd::kCompleted);
  EXPECT_EQ(reading.flavors, std::vector<std::string>{"h100"});
  EXPECT_EQ(job.shape.flavors, kAnyFlavor);
  EXPECT_EQ(job.flavor_order, std::vector<std::uint32_t>{0});
}

TEST(KueueJobsTest, WhatStillWaitsOrRunsIsLeftOut) {
  const auto reading = ReadJobs(Workload("a", kSpec, Conditions(kFinished)) +
                                Workload("b", kSpec, Conditions("")) + Workload("c", kSpec, ""));
  EXPECT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(reading.left_out.at("still running: its run time is not known"), 1);
  EXPECT_EQ(reading.left_out.at("still waiting: its run time is not known"), 1);
}

TEST(KueueJobsTest, AnEvictedWorkloadHasNoFirstStart) {
  const auto reading = ReadJobs(
      Workload("w", kSpec,
               Conditions(std::string(kFinished) +
                          "  schedulingStats: {evictions: [{reason: Preempted, count: 3}]}\n")));
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_FALSE(reading.workload.jobs[0].started);
  EXPECT_TRUE(Says(reading.notes.back(), "evicted 3 times") ||
              Says(reading.notes.front(), "evicted 3 times"));
}

TEST(KueueJobsTest, PodSetsOfDifferentGpusAreRefused) {
  const std::string spec = R"(spec:
  podSets:
  - {name: a, count: 1,
     template: {spec: {containers: [{name: c, resources: {requests: {nvidia.com/gpu: 8}}}]}}}
  - {name: b, count: 1,
     template: {spec: {containers: [{name: c, resources: {requests: {nvidia.com/gpu: 4}}}]}}}
)";
  EXPECT_TRUE(Says(JobsErrorOf(Workload("w", spec, Conditions(kFinished))),
                   "pods of different GPUs ('a', 'b')"));
}

TEST(KueueJobsTest, AListOfJsonIsReadAndOtherKindsArePassedOver) {
  const auto reading = ReadJobs(
      R"({"kind": "List", "items": [
        {"kind": "ClusterQueue", "apiVersion": "kueue.x-k8s.io/v1beta1"},
        {"kind": "Workload", "metadata": {"name": "w", "creationTimestamp": "2026-11-02T08:00:00Z"},
         "spec": {"podSets": [{"name": "main", "count": 1, "template": {"spec": {"containers": [
           {"name": "c", "resources": {"requests": {"nvidia.com/mig-1g.10gb": "1"}}}]}}}]},
         "status": {"conditions": [
           {"type": "QuotaReserved", "status": "True",
            "lastTransitionTime": "2026-11-02T08:00:01Z"},
           {"type": "Finished", "status": "True",
            "lastTransitionTime": "2026-11-02T08:01:01Z"}]}},
        {"kind": "Workload", "metadata": {"name": 7}}]})");
  ASSERT_EQ(reading.workload.jobs.size(), 1U);
  EXPECT_EQ(reading.workload.jobs[0].shape.gpus, 1);
  EXPECT_EQ(reading.workload.jobs[0].shape.gpu_milli, 143) << "a seventh, rounded up";
  EXPECT_EQ(reading.refused.size(), 1U);
}

}  // namespace
}  // namespace plimsoll
