#include "ingest/cluster/openb_nodes.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::string ErrorOf(const std::string& text) {
  const auto nodes = ReadOpenbNodes("n.csv", text);
  return nodes ? "" : nodes.error().message;
}

TEST(OpenbNodesTest, ReadsTheListsOf2023) {
  const OpenbNodes nodes = *ReadOpenbNodes("n.csv",
                                           "sn,cpu_milli,memory_mib,gpu,model\n"
                                           "b,64000,262144,2,P100\na,32000,131072,0,\n"
                                           "c,96000,393216,8,G2\n");
  EXPECT_EQ(nodes.flavors, (std::vector<std::string>{"G2", "P100", "cpu"}));
  ASSERT_EQ(nodes.nodes.size(), 3U);
  EXPECT_EQ(nodes.nodes[0].name, "b");
  EXPECT_EQ(nodes.nodes[0].flavor, 1U);
  EXPECT_EQ(nodes.nodes[0].gpus, 2);
  EXPECT_EQ(nodes.nodes[1].flavor, 2U);
  EXPECT_EQ(nodes.nodes[2].memory_mib, 393'216);
  EXPECT_TRUE(nodes.memory_known);
}

TEST(OpenbNodesTest, ReadsTheMachinesOf2020WithAndWithoutAHeader) {
  const std::string row = "7399a758,V100,96,512,8\n";
  for (const std::string& text : {row, "machine,gpu_type,cap_cpu,cap_mem,cap_gpu\n" + row}) {
    const OpenbNodes nodes = *ReadOpenbNodes("n.csv", text);
    ASSERT_EQ(nodes.nodes.size(), 1U);
    EXPECT_EQ(nodes.nodes[0].cpu_milli, 96'000);
    EXPECT_EQ(nodes.nodes[0].memory_mib, 512 * 1'024);
    EXPECT_EQ(nodes.flavors[0], "V100");
  }
}

TEST(OpenbNodesTest, MemoryThatIsNotToldNeverRunsOut) {
  const OpenbNodes nodes = *ReadOpenbNodes(
      "n.csv", "gpu_model,gpu_capacity_num,cpu_num,node_name\nGPU-series-1,4,192,0\n");
  EXPECT_FALSE(nodes.memory_known);
  EXPECT_GE(nodes.nodes[0].memory_mib, 1'000'000'000);
}

TEST(OpenbNodesTest, RefusesWhatWouldCountTwiceOrIsNoNode) {
  const std::string header = "sn,cpu_milli,memory_mib,gpu,model\n";
  EXPECT_EQ(ErrorOf(header + "a,1,1,1,T4\na,1,1,1,T4\n"),
            "n.csv:3: sn 'a' is the name of an earlier row: keep one of them");
  EXPECT_EQ(ErrorOf(header + "a,1,1,1,\n"),
            "n.csv:2: model '' must name the model of the node's GPUs");
  EXPECT_EQ(ErrorOf(header + "a,1,1,65,T4\n"), "n.csv:2: gpu '65' is more than 64");
  EXPECT_EQ(ErrorOf(header + ",1,1,1,T4\n"), "n.csv:2: sn '' is no name");
  EXPECT_EQ(ErrorOf(header), "n.csv: has no rows");
  std::string many = header;
  for (int i = 0; i < 65; ++i) many += std::to_string(i) + ",1,1,1,M" + std::to_string(i) + "\n";
  EXPECT_NE(ErrorOf(many).find("65 GPU models"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
