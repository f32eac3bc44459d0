// Nodes, podsets and assignments for tests of topology-aware scheduling.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "capacity/topology/tas_assign.h"

namespace plimsoll {

inline constexpr const char* kBlock = "block";
inline constexpr const char* kRack = "rack";
inline const std::string kHost{kHostnameLabel};

// A host of rack and block that takes so many pods of one CPU.
inline KubeNode Host(const std::string& block, const std::string& rack, const std::string& host,
                     std::int64_t cpus) {
  KubeNode node;
  node.name = host;
  node.labels = {{kBlock, block}, {kRack, rack}, {kHost, host}};
  node.allocatable = {{"cpu", cpus * 1'000}, {"pods", 100}};
  return node;
}

inline TasSnapshot SnapshotOf(const std::vector<KubeNode>& nodes,
                              std::vector<std::string> levels = {kBlock, kRack, kHost}) {
  return TasSnapshot({"default", std::move(levels), {}, {}}, nodes);
}

inline TasPodSet PodSetOf(std::int32_t count, TasTopologyRequest topology,
                          std::string name = "main") {
  TasPodSet podset;
  podset.name = std::move(name);
  podset.topology = std::move(topology);
  podset.pod = {{"cpu", 1'000}};
  podset.count = count;
  return podset;
}

inline TasTopologyRequest RequiredIn(std::string level) {
  return {std::move(level), {}, false, {}};
}
inline TasTopologyRequest PreferredIn(std::string level) {
  return {{}, std::move(level), false, {}};
}
inline TasTopologyRequest Anywhere() { return {{}, {}, true, {}}; }
inline TasTopologyRequest WithSlices(TasTopologyRequest topology,
                                     std::vector<TasSliceLayer> slices) {
  topology.slices = std::move(slices);
  return topology;
}

// "x1:2 x3:1", or the reason.
inline std::string TextOf(const TasResult& result) {
  if (!result.reason.empty()) return result.reason;
  std::string text;
  if (!result.assignment.has_value()) return text;
  for (const TasDomainPods& domain : result.assignment->domains) {
    if (!text.empty()) text += " ";
    text += JoinValues(domain.values) + ":" + std::to_string(domain.count);
  }
  return text;
}

inline TasAssignment OnHosts(const std::vector<std::pair<std::string, std::int32_t>>& hosts) {
  TasAssignment assignment{{kHost}, {}};
  for (const auto& [host, count] : hosts) assignment.domains.push_back({{host}, count});
  return assignment;
}

// Where one podset goes.
inline std::string Assign(const TasSnapshot& snapshot, const TasPodSet& podset,
                          const TasOptions& options = {}) {
  return TextOf(AssignPodSets(snapshot, {&podset, 1}, options).at(podset.name));
}

}  // namespace plimsoll
