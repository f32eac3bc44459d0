#include "demo/node_labels.h"

#include <fmt/format.h>

namespace plimsoll {

std::map<std::string, std::string> NodeLabelsOf(const DemoNode& node) {
  bool mig = false;
  for (const DemoCard& card : node.cards) mig = mig || card.mig();
  std::map<std::string, std::string> labels{
      {"kubernetes.io/hostname", node.name},
      {"kubernetes.io/arch", "amd64"},
      {"kubernetes.io/os", "linux"},
      {"node.kubernetes.io/instance-type", node.shape.instance_type},
      {"topology.kubernetes.io/region", "us-east-1"},
      {"topology.kubernetes.io/zone", node.zone},
      {"karpenter.sh/nodepool", node.pool},
      {"karpenter.sh/capacity-type", node.purchase == DemoPurchase::kSpot ? "spot" : "on-demand"},
      {"nvidia.com/gpu.present", "true"},
      {"nvidia.com/gpu.product", node.shape.product},
      {"nvidia.com/gpu.count", fmt::format("{}", node.shape.gpus)},
      {"nvidia.com/gpu.memory", fmt::format("{}", node.shape.fb_mib)},
      {"nvidia.com/mig.capable", node.shape.product == "NVIDIA-L4" ? "false" : "true"},
      {"nvidia.com/mig.strategy", mig ? "mixed" : "none"},
  };
  for (const auto& [resource, count] : DevicesOf(node)) {
    if (resource == "nvidia.com/gpu") continue;
    labels[resource + ".count"] = fmt::format("{}", count);
    labels[resource + ".product"] = node.shape.product + "-MIG-" + resource.substr(15);
  }
  return labels;
}

std::map<std::string, std::int64_t> DevicesOf(const DemoNode& node) {
  std::map<std::string, std::int64_t> devices;
  for (const DemoUnit& unit : node.units) {
    ++devices[unit.profile.empty() ? "nvidia.com/gpu" : "nvidia.com/mig-" + unit.profile];
  }
  return devices;
}

std::string ProviderIdOf(const DemoNode& node) {
  return "aws:///" + node.zone + "/" + node.instance_id;
}

}  // namespace plimsoll
