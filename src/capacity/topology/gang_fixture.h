// Small clusters for tests of gang placement.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "capacity/topology/gang_placer.h"

namespace plimsoll {

inline PodShape Gpus(std::int32_t gpus) { return {0, 0, gpus, kMilliPerGpu, kAnyFlavor}; }

inline void TakeGpus(Cluster& cluster, NodeId node, std::int32_t gpus) {
  if (gpus == 0) return;
  cluster.Take(node, Gpus(gpus), cluster.ChooseGpus(node, Gpus(gpus)));
}

struct NodeSketch {
  std::vector<std::string> path;
  std::int32_t gpus = 8;
  std::int32_t free = -1;  // -1: all of them
};

// Nodes named n0, n1...
inline Cluster ClusterOf(std::vector<std::string> levels, const std::vector<NodeSketch>& sketches) {
  DomainTree tree(std::move(levels));
  std::vector<NodeSpec> nodes;
  for (const NodeSketch& sketch : sketches) {
    std::vector<std::string> path = sketch.path;
    path.resize(tree.levels().size());
    nodes.push_back({"n" + std::to_string(nodes.size()), 0, 0, 0, sketch.gpus, tree.Add(path)});
  }
  Cluster cluster({"gpu"}, std::move(tree), std::move(nodes));
  for (NodeId i = 0; i < sketches.size(); ++i) {
    if (sketches[i].free >= 0) TakeGpus(cluster, i, sketches[i].gpus - sketches[i].free);
  }
  return cluster;
}

// One level "rack" whose racks have so many idle nodes of `gpus` GPUs each.
inline Cluster RacksOf(const std::vector<int>& racks, std::int32_t gpus) {
  std::vector<NodeSketch> nodes;
  for (std::size_t rack = 0; rack < racks.size(); ++rack) {
    for (int i = 0; i < racks[rack]; ++i) nodes.push_back({{"r" + std::to_string(rack)}, gpus});
  }
  return ClusterOf({"rack"}, nodes);
}

inline GangRequest Gang(std::int32_t pods, std::int32_t gpus, TopologyRequest topology = {}) {
  return {Gpus(gpus), pods, topology};
}
inline TopologyRequest RequiredAt(std::uint32_t level) {
  return {TopologyMode::kRequired, level, 0, 0};
}
inline TopologyRequest PreferredAt(std::uint32_t level) {
  return {TopologyMode::kPreferred, level, 0, 0};
}

}  // namespace plimsoll
