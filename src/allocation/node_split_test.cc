#include "allocation/node_split.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

NodeFact ANode(std::int64_t gpus, std::int64_t cpus, std::int64_t gib) {
  NodeFact node;
  node.gpu_num = gpus;
  node.cpu_capacity = cpus * 1'000;
  node.memory_capacity = gib << 30;
  return node;
}

// p3.16xlarge, 8 GPUs, 64 vCPU, 488 GiB: 72 : 57.6 : 48.8 units, as AWS splits it.
TEST(NodeSplitTest, IsTheAcceleratorRule) {
  const auto split = SplitOfNode(ANode(8, 64, 488), 8, {});
  ASSERT_TRUE(split);
  EXPECT_EQ(*split, (NodeSplit{90, 72, 61}));  // 720 : 576 : 488 over 8
}

TEST(NodeSplitTest, AFractionOfAGpuIsExact) {
  NodeFact node = ANode(1, 9, 0);
  node.gpu_den = 8;
  EXPECT_EQ(*SplitOfNode(node, 1, {}), (NodeSplit{5, 36, 0}));  // 11.25 : 81
}

TEST(NodeSplitTest, WithoutCapacityAllIsGpuCostOrElseCpuCost) {
  EXPECT_EQ(*SplitOfNode(ANode(0, 0, 0), 4, {}), (NodeSplit{1, 0, 0}));
  EXPECT_EQ(*SplitOfNode(ANode(0, 0, 0), 0, {}), (NodeSplit{0, 1, 0}));
  EXPECT_EQ(*SplitOfNode(ANode(2, 0, 0), 2, {0, 9, 1}), (NodeSplit{1, 0, 0}));
}

TEST(NodeSplitTest, RefusesWeightsWithoutACommonScale) {
  NodeFact node = ANode(8, 0, 0);
  node.cpu_capacity = 191'999;
  node.memory_capacity = (std::int64_t{2} << 40) - 1;
  const auto split = SplitOfNode(node, 8, {9'000'000'000'000'000'001, 7, 3});
  ASSERT_FALSE(split);
  EXPECT_EQ(split.error().code, ErrorCode::kOutOfRange);
}

}  // namespace
}  // namespace plimsoll
