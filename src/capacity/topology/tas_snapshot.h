// TasSnapshot: the domains of one flavor's nodes and what is free in each of the lowest level.
//
// Only nodes that are ready, not cordoned, carry the flavor's labels and a label of every level
// count. If the lowest level is kubernetes.io/hostname a leaf is one node, otherwise all nodes
// with its values together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capacity/topology/tas_request.h"

namespace plimsoll {

struct TasFlavor {
  std::string topology = "default";  // the name in reasons
  std::vector<std::string> levels;   // at least one
  LabelMap node_labels;
  std::vector<Toleration> tolerations;
};

inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";

class TasSnapshot {
 public:
  TasSnapshot(TasFlavor flavor, std::span<const KubeNode> nodes);

  struct Domain {
    std::vector<std::string> values;  // from the widest level on
    std::string id;                   // values with commas; the host's name alone of a host
    std::uint32_t level = 0;
    std::uint32_t order = 0;   // among its level's, by values
    std::uint32_t parent = 0;  // not of the widest level
    std::vector<std::uint32_t> children{};
  };
  struct Leaf {
    std::uint32_t domain = 0;
    ResourceAmounts free;  // allocatable without pods that TAS does not manage
    ResourceAmounts used;  // by workloads that TAS admitted
    std::optional<KubeNode> node;
  };

  const TasFlavor& flavor() const { return flavor_; }
  bool host_is_lowest() const { return host_is_lowest_; }
  std::span<const Domain> domains() const { return domains_; }
  std::span<const Leaf> leaves() const { return leaves_; }
  // Of a level, in the order of their values.
  std::span<const std::uint32_t> level(std::size_t i) const { return by_level_[i]; }
  std::optional<std::uint32_t> Level(std::string_view key) const;
  // The lowest domain with these values: of a host its name alone.
  std::optional<std::uint32_t> Lowest(std::span<const std::string> values) const;
  // Of the level that holds `domain`. REQUIRES: level <= that of domain
  std::uint32_t Ancestor(std::uint32_t domain, std::uint32_t level) const;

  // Pods that TAS admitted: `count` of them, `pod` each, in the lowest domain of `values`.
  // Of domains that are gone nothing is kept.
  void AddUsage(std::span<const std::string> values, const ResourceAmounts& pod,
                std::int64_t count);
  // A pod that TAS does not manage, on a node.
  void AddPod(const std::string& node, const ResourceAmounts& pod);

 private:
  void AddNode(const KubeNode& node);
  void Link();

  TasFlavor flavor_;
  bool host_is_lowest_;
  std::vector<Domain> domains_;
  std::vector<Leaf> leaves_;
  std::vector<std::vector<std::uint32_t>> by_level_;
  std::map<std::string, std::size_t, std::less<>> leaf_by_id_;
  std::map<std::string, std::size_t> leaf_by_node_;
};

std::string JoinValues(std::span<const std::string> values);  // with commas
void AddAmounts(ResourceAmounts& sum, const ResourceAmounts& more, std::int64_t times);

}  // namespace plimsoll
