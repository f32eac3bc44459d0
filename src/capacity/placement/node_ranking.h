// NodeRanking: nodes by their points, and which one is first, kept while single nodes change.
//
// A tournament tree: a node's new points cost the logarithm of the number of nodes, the first is
// read at once. Of equal points the lower rank is before.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "capacity/model/cluster.h"

namespace plimsoll {

inline constexpr std::int32_t kDoesNotFit = -1;  // points of a node that is no choice

class NodeRanking {
 public:
  NodeRanking() = default;
  // All nodes at kDoesNotFit. REQUIRES: ranks differ
  explicit NodeRanking(const std::vector<std::uint32_t>& rank);

  void Set(NodeId id, std::int32_t points);
  std::int32_t points(NodeId id) const { return nodes_[id].points; }
  // REQUIRES: a node
  NodeId first() const { return winners_[1]; }

 private:
  struct Node {
    std::int32_t points = kDoesNotFit;
    std::uint32_t rank = 0;
  };
  NodeId Better(NodeId a, NodeId b) const;

  std::vector<Node> nodes_;
  std::size_t leaves_ = 1;       // a power of two
  std::vector<NodeId> winners_;  // of the matches 1 ... leaves_ - 1; below them the nodes
};

// The nodes that are a choice, in no order of meaning but one that a seed repeats: for drawing
// one of them.
class NodePool {
 public:
  NodePool() = default;
  explicit NodePool(std::size_t nodes) : places_(nodes, kNone) {}

  void Set(NodeId id, bool in);
  bool Has(NodeId id) const { return places_[id] != kNone; }
  const std::vector<NodeId>& nodes() const { return nodes_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<NodeId> nodes_;
  std::vector<std::uint32_t> places_;  // of each node in nodes_
};

}  // namespace plimsoll
