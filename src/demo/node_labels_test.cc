#include "demo/node_labels.h"

#include "demo/demo_fixture.h"
#include "demo/layout.h"

namespace plimsoll {
namespace {

TEST(NodeLabelsTest, MigNodeHasPhysicalCountAndDevicesByProfile) {
  const DemoNode& node = Week().nodes[NodesOf(Week(), "mig").front()];
  const std::map<std::string, std::string> labels = NodeLabelsOf(node);
  EXPECT_EQ(labels.at("nvidia.com/gpu.count"), "8");
  EXPECT_EQ(labels.at("nvidia.com/mig.strategy"), "mixed");
  EXPECT_EQ(labels.at("nvidia.com/mig-1g.5gb.count"), "14");
  EXPECT_EQ(labels.at("nvidia.com/mig-3g.20gb.product"), "NVIDIA-A100-SXM4-40GB-MIG-3g.20gb");
  const std::map<std::string, std::int64_t> devices = DevicesOf(node);
  EXPECT_EQ(devices.at("nvidia.com/gpu"), 1);
  EXPECT_EQ(devices.at("nvidia.com/mig-2g.10gb"), 7);
}

TEST(NodeLabelsTest, SpotIsMarked) {
  const DemoNode& node = Week().nodes[NodesOf(Week(), "spot").front()];
  EXPECT_EQ(NodeLabelsOf(node).at("karpenter.sh/capacity-type"), "spot");
  EXPECT_EQ(ProviderIdOf(node), "aws:///" + node.zone + "/" + node.instance_id);
}

}  // namespace
}  // namespace plimsoll
