#include <gtest/gtest.h>

#include "ingest/cluster/cluster_reader.h"

namespace plimsoll {
namespace {

Result<ClusterReading> Read(const std::string& text, std::int32_t gpus_per_node = 8) {
  ClusterSource source{"nodes.csv", text};
  source.gpus_per_node = gpus_per_node;
  return ReadCluster(source);
}

TEST(ClusterTracesTest, VirtualClustersAreDomains) {
  const auto philly = Read("vc,node num\n6214e9,64\ned69ec,8\n");
  ASSERT_TRUE(philly) << philly.error().message;
  EXPECT_EQ(philly->facts.gpus(), 576);
  EXPECT_EQ(philly->facts.groups[0].nodes, 64U);
  EXPECT_EQ(philly->facts.tree.at(philly->facts.nodes[64].domains[0]).name, "ed69ec");
}

TEST(ClusterTracesTest, HeliosSizesAreThoseOfTheLastDay) {
  const auto helios = Read("date,vcA,vcB,vcC,total\n2020-04-01,8,0,8,16\n2020-04-02,16,12,0,28\n");
  ASSERT_TRUE(helios) << helios.error().message;
  EXPECT_EQ(helios->facts.gpus(), 28);
  ASSERT_EQ(helios->facts.groups.size(), 3U) << "a queue of no GPUs has no nodes";
  EXPECT_EQ(helios->facts.groups[1].name, "vcB");
  EXPECT_EQ(helios->facts.groups[2].name, "vcB-rest") << "nodes of a group are alike";
  EXPECT_EQ(helios->facts.nodes.back().gpus, 4);
  EXPECT_EQ(helios->facts.nodes[2].domains, helios->facts.nodes[3].domains);
  EXPECT_FALSE(Read("date,vcA,total\n2020-04-01,8,9\n"));
}

TEST(ClusterTracesTest, TiresiasNodesLieUnderSwitches) {
  const auto spec = Read(
      "num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\n5,32,8,128,256\n");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->facts.gpus(), 1'280);
  EXPECT_EQ(spec->facts.tree.size(), 5U);
  EXPECT_EQ(spec->facts.nodes[0].memory_mib, 262'144);
  EXPECT_EQ(spec->facts.groups.size(), 1U);
}

TEST(ClusterTracesTest, GavelCountsGpusByKind) {
  const auto spec = Read(R"({"philly": ["12:16:0"]})");
  ASSERT_TRUE(spec) << spec.error().message;
  EXPECT_EQ(spec->facts.gpus(), 28);
  EXPECT_EQ(spec->facts.nodes.size(), 4U);
  EXPECT_EQ(spec->facts.nodes.back().flavor, 1U);
}

TEST(ClusterTracesTest, TheLimitIsOfNodesNotOfGpus) {
  const auto gpus = [](const std::string& count) {
    return Read("date,a,total\n2020-04-01," + count + "," + count + "\n", 64);
  };
  EXPECT_TRUE(gpus("1000064"));
  EXPECT_FALSE(gpus("64000001"));
  const auto gavel = Read(R"({"x": ["1000000:1:0"]})", 1);
  ASSERT_FALSE(gavel);
  EXPECT_NE(gavel.error().message.find("more than a million nodes"), std::string::npos);
}

TEST(ClusterTracesTest, WrongCountsAreNamed) {
  for (const char* text :
       {"vc,node num\na,-1\n", "vc,node num\n,2\n", "date,a,total\n2020-04-01,x,8\n",
        "num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\n1,2,800,1,1\n",
        "num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\n",
        R"({"philly": ["8:-:8"]})", R"({"philly": ["8:8:8:8"]})", R"({"philly": ["8:8:8:"]})"}) {
    const auto reading = Read(text);
    ASSERT_FALSE(reading) << text;
    EXPECT_NE(reading.error().message.find("nodes.csv"), std::string::npos);
  }
}

}  // namespace
}  // namespace plimsoll
