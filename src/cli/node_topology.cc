#include "cli/node_topology.h"

#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "ingest/pod.h"

namespace plimsoll {
namespace {

struct Level {
  const char* name;
  std::array<const char*, 2> labels;
};
constexpr Level kLevels[kTopologyLevels] = {
    {"zone", {"topology.kubernetes.io/zone", ""}},
    {"layer-1", {"topology.k8s.aws/network-node-layer-1", ""}},
    {"layer-2", {"topology.k8s.aws/network-node-layer-2", ""}},
    {"layer-3", {"topology.k8s.aws/network-node-layer-3", ""}},
    {"block", {"cloud.google.com/gce-topology-block", "cloud.provider.com/topology-block"}},
    {"subblock", {"cloud.google.com/gce-topology-subblock", ""}},
    {"rack", {"cloud.provider.com/topology-rack", "topology.kubernetes.io/rack"}},
    {"clique", {"nvidia.com/gpu.clique", ""}},
};

}  // namespace

std::string_view TopologyLevelName(std::size_t level) { return kLevels[level].name; }

std::vector<std::string> TopologyOf(const std::string& labels, const std::string& zone) {
  std::vector<std::string> values(kTopologyLevels);
  const auto object = nlohmann::json::parse(labels, nullptr, false);
  for (std::size_t level = 0; level < kTopologyLevels; ++level) {
    for (const std::string label : kLevels[level].labels) {
      if (label.empty() || !object.is_object()) continue;
      for (const std::string& key : {label, SanitizedName(label)}) {
        const auto found = object.find(key);
        if (values[level].empty() && found != object.end() && found->is_string()) {
          values[level] = found->get<std::string>();
        }
      }
    }
  }
  if (values[0].empty()) values[0] = zone;
  return values;
}

}  // namespace plimsoll
