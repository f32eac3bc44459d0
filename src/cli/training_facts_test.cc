#include "cli/training_facts.h"

#include <gtest/gtest.h>

#include <tuple>

namespace plimsoll {
namespace {

const Window kDay{AtSeconds(1'793'577'600), AtSeconds(1'793'577'600) + Days(1)};

template <class Batch>
std::size_t AddBlank(Batch& batch) {
  std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
             Batch::kColumns);
  return RowsOf(batch) - 1;
}

class TrainingFactsTest : public testing::Test {
 protected:
  std::size_t Hold(const std::string& workload, const std::string& uid, std::int64_t begin,
                   std::int64_t until) {
    HoldingBatch& held = facts_.holdings;
    const std::size_t row = AddBlank(held);
    held.cluster[row] = "c";
    held.source[row] = "kubernetes";
    held.ns[row] = "team";
    held.name[row] = held.uid[row] = uid;
    held.workload[row] = workload;
    held.workload_kind[row] = "PyTorchJob";
    held.node[row] = "n1";
    held.devices[row] = 8;
    held.share_num[row] = held.share_den[row] = 1;
    held.cpu_milli[row] = 96'000;
    held.memory_bytes[row] = std::int64_t{1} << 40;
    held.begin[row] = kDay.begin + Minutes(begin);
    held.queued[row] = kDay.begin + Minutes(begin - 5);
    if (until > 0) held.until[row] = kDay.begin + Minutes(until);
    held.end_reason[row] = "Completed";
    return row;
  }

  void Node(const std::string& name, const std::string& labels) {
    NodeBatch& nodes = facts_.nodes;
    const std::size_t row = AddBlank(nodes);
    nodes.cluster[row] = "c";
    nodes.node[row] = name;
    nodes.gpu_model[row] = "H100-SXM-80GB";
    nodes.instance_type[row] = "p5.48xlarge";
    nodes.capacity_type[row] = "on-demand";
    nodes.gpu_count[row] = 8;
    nodes.cpu_milli[row] = 192'000;
    nodes.memory_bytes[row] = std::int64_t{2} << 40;
    nodes.labels[row] = labels;
  }

  OccupancyFacts facts_;
};

TEST_F(TrainingFactsTest, WhatTwoSourcesTellOfIsThereOnce) {
  Hold("gang", "a", 0, 60);
  facts_.holdings.source[Hold("gang", "a", 0, 60)] = "kube-state-metrics";
  Node("n1", "{}");
  Node("n1", "{}");
  facts_.nodes.gpu_model[1] = "NVIDIA-H100-80GB-HBM3";
  const TrainingFacts facts = TrainingFactsOf(facts_, kDay);
  ASSERT_EQ(facts.workload.jobs.size(), 1u);
  EXPECT_EQ(facts.workload.jobs[0].pods, 1);
  EXPECT_EQ(facts.workload.jobs[0].shape.gpus, 8);
  ASSERT_EQ(facts.cluster.nodes.size(), 1u);
  EXPECT_EQ(facts.cluster.flavors, std::vector<std::string>{"H100-SXM-80GB"});
}

TEST_F(TrainingFactsTest, PodsOfOneOwnerAreAGang) {
  Hold("pre", "p0", 10, 130);
  Hold("pre", "p1", 12, 130);
  Hold("pre", "p2", 70, 200);  // a restart of one: later than the gang's start
  const TrainingFacts facts = TrainingFactsOf(facts_, kDay);
  ASSERT_EQ(facts.workload.jobs.size(), 1U);
  const TrainingJob& job = facts.workload.jobs[0];
  EXPECT_EQ(job.name, "pre");
  EXPECT_EQ(job.pods, 2);
  EXPECT_EQ(job.shape.gpus, 8);
  EXPECT_EQ(job.shape.memory_mib, 1'048'576);
  EXPECT_EQ(job.submitted, kDay.begin + Minutes(5));
  EXPECT_EQ(job.started, kDay.begin + Minutes(10));
  EXPECT_EQ(job.run, Minutes(190)) << "from 10 to 200 without a gap";
  EXPECT_EQ(job.end, JobEnd::kCompleted);
  EXPECT_EQ(facts.workload.queues[job.queue], "team");
}

TEST_F(TrainingFactsTest, ASlurmJobIsItsRowsOfAllNodes) {
  for (const char* node : {"g1", "g2"}) {
    const std::size_t row = Hold("train", "77@x", 10, 70);
    facts_.holdings.source[row] = "slurm";
    facts_.holdings.name[row] = "77";
    facts_.holdings.node[row] = node;
    facts_.holdings.queue[row] = "gpu";
  }
  const TrainingFacts facts = TrainingFactsOf(facts_, kDay);
  ASSERT_EQ(facts.workload.jobs.size(), 1U);
  EXPECT_EQ(facts.workload.jobs[0].name, "77");
  EXPECT_EQ(facts.workload.jobs[0].pods, 2);
  EXPECT_EQ(facts.workload.queues, std::vector<std::string>{"gpu"});
}

TEST_F(TrainingFactsTest, JobsOfOneTimeStayInTheOrderOfTheirRows) {
  for (const char* name : {"9", "10", "8"}) Hold(name, name, 10, 130);
  const TrainingFacts facts = TrainingFactsOf(facts_, kDay);
  ASSERT_EQ(facts.workload.jobs.size(), 3U);
  EXPECT_EQ(facts.workload.jobs[0].name, "9");
  EXPECT_EQ(facts.workload.jobs[1].name, "10");
  EXPECT_EQ(facts.workload.jobs[2].name, "8");
}

TEST_F(TrainingFactsTest, APodThatTwoSourcesTellOfCountsOnce) {
  Hold("pre", "p0", 10, 130);
  Hold("pre", "p0", 10, 130);
  const TrainingFacts facts = TrainingFactsOf(facts_, kDay);
  ASSERT_EQ(facts.workload.jobs.size(), 1U);
  EXPECT_EQ(facts.workload.jobs[0].pods, 1);
  EXPECT_EQ(facts.workload.jobs[0].shape.gpus, 8);
}

TEST_F(TrainingFactsTest, ANodeThatTwoSourcesTellOfCountsOnce) {
  Node("n1", "{}");
  Node("n1", R"({"topology.kubernetes.io/zone": "a"})");
  const ClusterSpec cluster = TrainingFactsOf(facts_, kDay).cluster;
  EXPECT_EQ(cluster.nodes.size(), 1U);
  EXPECT_EQ(cluster.tree.levels(), std::vector<std::string>{"zone"});
}

TEST_F(TrainingFactsTest, AJobAcceptsTheModelsThatItRanOn) {
  Node("n0", "{}");
  facts_.nodes.gpu_model[0] = "L4";
  facts_.nodes.instance_type[0] = "g6";
  Node("n1", "{}");
  Hold("on-n1", "p0", 10, 70);
  facts_.holdings.node[Hold("gone", "p1", 20, 70)] = "n9";
  const TrainingFacts facts = TrainingFactsOf(facts_, kDay);
  ASSERT_EQ(facts.cluster.flavors, (std::vector<std::string>{"L4", "H100-SXM-80GB"}));
  EXPECT_EQ(facts.workload.jobs[0].shape.flavors, 0b10U);
  EXPECT_EQ(facts.workload.jobs[1].shape.flavors, kAnyFlavor);
}

TEST_F(TrainingFactsTest, AWaitWithoutASubmissionIsUnknown) {
  facts_.holdings.queued[Hold("pre", "p0", 10, 130)].reset();
  const TrainingFacts facts = TrainingFactsOf(facts_, kDay);
  EXPECT_EQ(facts.waits_unknown, 1);
  EXPECT_EQ(facts.workload.jobs[0].submitted, kDay.begin + Minutes(10));
  EXPECT_FALSE(facts.workload.jobs[0].started);
}

TEST_F(TrainingFactsTest, PartsOfACardAreAShape) {
  const std::size_t row = Hold("notebook", "p", 10, 70);
  facts_.holdings.devices[row] = 2;
  facts_.holdings.share_den[row] = 7;
  const TrainingFacts facts = TrainingFactsOf(facts_, kDay);
  ASSERT_EQ(facts.workload.jobs.size(), 1U);
  EXPECT_EQ(facts.workload.jobs[0].shape.gpus, 1);
  EXPECT_EQ(facts.workload.jobs[0].shape.gpu_milli, 286) << "two sevenths, rounded up";
}

TEST_F(TrainingFactsTest, WhatIsNoFinishedJobIsLeftOutByReason) {
  facts_.holdings.workload_kind[Hold("chat", "a", 10, 70)] = "Deployment";
  Hold("long", "b", 10, 0);
  facts_.holdings.devices[Hold("cpu", "c", 10, 70)] = 0;
  Hold("yesterday", "d", -100, 70);
  facts_.holdings.role[Hold("room", "e", 10, 70)] = "placeholder";
  Hold("fine", "f", 10, 70);
  const TrainingFacts facts = TrainingFactsOf(facts_, kDay);
  EXPECT_EQ(facts.workload.jobs.size(), 1U);
  EXPECT_EQ(facts.left_out.size(), 3U);
  EXPECT_EQ(facts.left_out.at("serves for good (Deployment)"), 1);
}

TEST_F(TrainingFactsTest, NodesAreGroupsInTheDomainsOfTheirLabels) {
  Node("n1", R"({"topology.kubernetes.io/zone": "a", "cloud.provider.com/topology-rack": "r1"})");
  Node("n2", R"({"topology.kubernetes.io/zone": "a", "cloud.provider.com/topology-rack": "r2"})");
  Node("n3", R"({"topology.kubernetes.io/zone": "a"})");
  facts_.nodes.capacity_type[2] = "spot";
  Node("gone", "{}");
  facts_.nodes.until[3] = kDay.begin + Hours(3);
  const ClusterSpec cluster = TrainingFactsOf(facts_, kDay).cluster;
  EXPECT_EQ(cluster.tree.levels(), (std::vector<std::string>{"zone", "rack"}));
  ASSERT_EQ(cluster.groups.size(), 2U);
  EXPECT_EQ(cluster.groups[0].name, "p5.48xlarge on-demand");
  EXPECT_EQ(cluster.groups[0].nodes, 2U);
  EXPECT_EQ(cluster.groups[1].purchase, "spot");
  EXPECT_EQ(cluster.flavors, std::vector<std::string>{"H100-SXM-80GB"});
  EXPECT_EQ(cluster.ToCluster().gpu_milli_total(), 24'000);
  EXPECT_EQ(cluster.nodes[2].domains[1], kNoDomain);
}

}  // namespace
}  // namespace plimsoll
