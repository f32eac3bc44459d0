// The public traces as they are (../shared, not part of the repository): counts that their authors
// and others give.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "ingest/cluster/openb_nodes.h"
#include "ingest/cluster/openb_pods.h"

namespace plimsoll {
namespace {

class OpenbRealSharedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("PLIMSOLL_SHARED");
    const char* root = std::getenv("PLIMSOLL_ROOT");
    const std::filesystem::path shared =
        named != nullptr ? std::filesystem::path(named)
                         : std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared";
    traces_ = shared / "data" / "traces";
    if (!std::filesystem::exists(traces_)) GTEST_SKIP() << "no shared data in " << traces_;
  }

  std::string TextOf(const std::string& file) const {
    std::ifstream in(traces_ / file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  OpenbNodes Nodes(const std::string& file) const { return *ReadOpenbNodes(file, TextOf(file)); }
  OpenbPods Pods(const std::string& file, const std::vector<std::string>& flavors) const {
    return *ReadOpenbPods(file, TextOf(file), flavors);
  }

  std::filesystem::path traces_;
};

std::map<std::string, std::int64_t> GpusByModel(const OpenbNodes& nodes) {
  std::map<std::string, std::int64_t> gpus;
  for (const NodeSpec& node : nodes.nodes) gpus[nodes.flavors[node.flavor]] += node.gpus;
  return gpus;
}

TEST_F(OpenbRealSharedTest, NodesOf2023) {
  const OpenbNodes nodes = Nodes("alibaba_gpu_v2023/csv/openb_node_list_all_node.csv");
  EXPECT_EQ(nodes.nodes.size(), 1'523U);
  EXPECT_EQ(GpusByModel(nodes), (std::map<std::string, std::int64_t>{{"A10", 2},
                                                                     {"G2", 4'392},
                                                                     {"G3", 312},
                                                                     {"P100", 265},
                                                                     {"T4", 842},
                                                                     {"V100M16", 195},
                                                                     {"V100M32", 204},
                                                                     {"cpu", 0}}));
  EXPECT_EQ(Nodes("alibaba_gpu_v2023/csv/openb_node_list_gpu_node.csv").nodes.size(), 1'213U);
}

TEST_F(OpenbRealSharedTest, PodsOf2023) {
  const OpenbNodes nodes = Nodes("alibaba_gpu_v2023/csv/openb_node_list_gpu_node.csv");
  const OpenbPods pods = Pods("alibaba_gpu_v2023/csv/openb_pod_list_default.csv", nodes.flavors);
  std::map<std::int32_t, int> by_gpus;
  int shared = 0, without_start = 0;
  for (std::size_t i = 0; i < pods.shapes.size(); ++i) {
    ++by_gpus[pods.shapes[i].gpus];
    shared += pods.shapes[i].gpu_milli < kMilliPerGpu ? 1 : 0;
    without_start += pods.scheduled[i] ? 0 : 1;
  }
  EXPECT_EQ(by_gpus,
            (std::map<std::int32_t, int>{{0, 1'088}, {1, 6'989}, {2, 16}, {4, 15}, {8, 44}}));
  EXPECT_EQ(shared, 3'078);
  EXPECT_GT(without_start, 0);
  const OpenbPods specs = Pods("alibaba_gpu_v2023/csv/openb_pod_list_gpuspec33.csv", nodes.flavors);
  EXPECT_TRUE(specs.unknown_models.empty());
  EXPECT_EQ(Pods("alibaba_gpu_v2023/csv/openb_pod_list_multigpu20.csv", nodes.flavors).names.size(),
            8'324U);
}

TEST_F(OpenbRealSharedTest, InstancesOf2025AndNodesOf2026) {
  const OpenbNodes nodes = Nodes("alibaba_spot_v2026/node_info_df.csv");
  EXPECT_EQ(nodes.nodes.size(), 4'278U);
  std::int64_t gpus = 0;
  for (const auto& [model, count] : GpusByModel(nodes)) gpus += count;
  EXPECT_EQ(gpus, 10'412);
  EXPECT_FALSE(nodes.memory_known);
  const OpenbPods pods = Pods("alibaba_gpu_v2025/disaggregated_DLRM_trace.csv", nodes.flavors);
  EXPECT_EQ(pods.shapes.size(), 23'871U);
}

}  // namespace
}  // namespace plimsoll
