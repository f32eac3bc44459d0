// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/domain_order.h"

#include <algorithm>
#include <string_view>

namespace plimsoll {
namespace {

bool Placed(const NodeSpec& node, std::size_t levels) {
  return node.domains.size() == levels &&
         std::ranges::find(node.domains, kNoDomain) == node.domains.end();
}

}  // namespace

void DomainOrder::Sort(const Cluster& cluster) {
  const DomainTree& tree = cluster.tree();
  const std::size_t levels = tree.levels().size();
  std::vector<NodeId> unplaced;
  for (NodeId node = 0; node < cluster.size(); ++node) {
    (Placed(cluster.node(node), levels) ? nodes_ : unplaced).push_back(node);
  }
  placed_nodes_ = nodes_.size();
  const auto before = [&](NodeId a, NodeId b) {
    const NodeSpec &left = cluster.node(a), &right = cluster.node(b);
    for (std::size_t level = 0; level < levels; ++level) {
      const DomainId x = left.domains[level], y = right.domains[level];
      if (x != y) return tree.at(x).name < tree.at(y).name;
    }
    if (left.name != right.name) return left.name < right.name;
    return a < b;
  };
  std::ranges::sort(nodes_, before);
  std::ranges::sort(unplaced, {}, [&](NodeId node) {
    return std::pair<std::string_view, NodeId>(cluster.node(node).name, node);
  });
  nodes_.insert(nodes_.end(), unplaced.begin(), unplaced.end());
}

DomainOrder::DomainOrder(const Cluster& cluster) {
  Sort(cluster);
  const std::size_t levels = cluster.tree().levels().size();
  place_of_.resize(nodes_.size());
  domains_.resize(levels);
  first_child_.resize(levels);
  holder_.resize(levels);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    place_of_[nodes_[i]] = i;
    if (i >= placed_nodes_) continue;
    const std::vector<DomainId>& path = cluster.node(nodes_[i]).domains;
    for (std::size_t level = 0; level < levels; ++level) {
      if (domains_[level].empty() || domains_[level].back() != path[level]) {
        first_child_[level].push_back(static_cast<std::uint32_t>(
            level + 1 < levels ? domains_[level + 1].size() : std::size_t{i}));
        domains_[level].push_back(path[level]);
      }
      holder_[level].push_back(static_cast<std::uint32_t>(domains_[level].size() - 1));
    }
  }
  for (std::size_t level = 0; level < levels; ++level) {
    first_child_[level].push_back(static_cast<std::uint32_t>(
        level + 1 < levels ? domains_[level + 1].size() : placed_nodes_));
  }
}

}  // namespace plimsoll
