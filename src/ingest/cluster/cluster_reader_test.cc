#include "ingest/cluster/cluster_reader.h"

#include <gtest/gtest.h>

#include "ingest/cluster/test_workload.h"

namespace plimsoll {
namespace {

constexpr const char* kCluster =
    "groups:\n- {name: h100, nodes: 4, gpus: 8, topology: {block: 1, rack: 2}}\n"
    "- {name: a100, nodes: 2, gpus: 8, topology: {block: 1, rack: 1}}\n";

ClusterReading ReadNodes(const std::string& text) {
  const auto reading = ReadCluster({"cluster.yaml", text});
  EXPECT_TRUE(reading) << reading.error().message;
  return reading ? *reading : ClusterReading();
}

TEST(ClusterReaderTest, ContentTellsTheFormat) {
  const std::pair<const char*, const char*> files[] = {
      {kCluster, "cluster"},
      {R"({"groups": [{"name": "h100", "nodes": 1, "gpus": 8}]})", "cluster"},
      {"vc,node num\na,2\n", "philly-nodes"},
      {"date,a,total\n2020-04-01,8,8\n", "helios-sizes"},
      {"num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\n1,2,8,64,256\n",
       "tiresias-spec"},
      {R"({"philly": ["8:16:8"]})", "gavel-spec"},
  };
  for (const auto& [text, format] : files) EXPECT_EQ(ReadNodes(text).format, format) << text;
  for (const std::string& name : ClusterFormatNames()) EXPECT_TRUE(ParseClusterFormat(name));
  EXPECT_FALSE(ParseClusterFormat("xml"));
}

TEST(ClusterReaderTest, AWorkloadTakesTheClustersFlavorsAndLevels) {
  const ClusterReading cluster = ReadNodes(kCluster);
  WorkloadReading jobs =
      ReadJobs("submit,gpus,run,flavors,topology\n0,8,60,B200|a100,required:rack\n1,8,60,,\n");
  const Status bound = BindWorkload("jobs.csv", cluster.facts, jobs);
  ASSERT_TRUE(bound) << bound.error().message;
  const TrainingJob& job = jobs.workload.jobs[0];
  EXPECT_EQ(job.shape.flavors, FlavorSet{2});
  EXPECT_EQ(job.flavor_order, std::vector<std::uint32_t>{1});
  EXPECT_EQ(job.topology.level, 1U);
  EXPECT_EQ(jobs.workload.jobs[1].shape.flavors, kAnyFlavor);
  EXPECT_EQ(jobs.flavors, cluster.facts.flavors);
}

TEST(ClusterReaderTest, AJobThatCouldNeverRunIsAnError) {
  const ClusterReading cluster = ReadNodes(kCluster);
  WorkloadReading jobs = ReadJobs("name,submit,gpus,run,flavors\nx,0,8,60,B200\n");
  const Status flavors = BindWorkload("jobs.csv", cluster.facts, jobs);
  ASSERT_FALSE(flavors);
  EXPECT_TRUE(Says(flavors.error().message, "job 'x' takes only flavors"))
      << flavors.error().message;
  EXPECT_TRUE(Says(flavors.error().message, "h100, a100"));
  WorkloadReading level = ReadJobs("submit,gpus,run,topology\n0,8,60,preferred:pod\n");
  const Status levels = BindWorkload("jobs.csv", cluster.facts, level);
  ASSERT_FALSE(levels);
  EXPECT_TRUE(Says(levels.error().message, "'pod'; the cluster has the levels block, rack"));
}

}  // namespace
}  // namespace plimsoll
