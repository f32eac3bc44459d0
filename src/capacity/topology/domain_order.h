// DomainOrder: the domains and nodes of a cluster laid out so that what lies within a domain is
// one run of the level below.
//
// Order is that of the names along the path, widest level first, then of the node's name: the
// order in which equal domains are tried. Nodes that lack a domain of some level come last and
// lie in none.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "capacity/model/cluster.h"

namespace plimsoll {

class DomainOrder {
 public:
  explicit DomainOrder(const Cluster& cluster);

  // Levels of the tree; the nodes are the level after the last of them.
  std::uint32_t levels() const { return static_cast<std::uint32_t>(domains_.size()); }
  // Domains of a level that have a node, or all nodes.
  std::size_t size(std::uint32_t level) const {
    return level == levels() ? nodes_.size() : domains_[level].size();
  }
  // Of them, those that lie in a domain of every level: the first ones.
  std::size_t placed(std::uint32_t level) const {
    return level == levels() ? placed_nodes_ : domains_[level].size();
  }

  DomainId domain(std::uint32_t level, std::uint32_t i) const { return domains_[level][i]; }
  NodeId node(std::uint32_t i) const { return nodes_[i]; }
  std::uint32_t place_of(NodeId node) const { return place_of_[node]; }

  struct Run {
    std::uint32_t begin, end;
  };
  // What domain i of a level of the tree has in the level below.
  Run children(std::uint32_t level, std::uint32_t i) const {
    return {first_child_[level][i], first_child_[level][i + 1]};
  }
  // The domain of `level` that holds the node at place i. REQUIRES: i < placed(levels())
  std::uint32_t holder(std::uint32_t level, std::uint32_t i) const { return holder_[level][i]; }

 private:
  void Sort(const Cluster& cluster);

  std::vector<NodeId> nodes_;
  std::size_t placed_nodes_ = 0;
  std::vector<std::uint32_t> place_of_;                  // by NodeId
  std::vector<std::vector<DomainId>> domains_;           // by level
  std::vector<std::vector<std::uint32_t>> first_child_;  // by level; one more than domains
  std::vector<std::vector<std::uint32_t>> holder_;       // by level and place of a node
};

}  // namespace plimsoll
