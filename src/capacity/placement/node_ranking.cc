// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/node_ranking.h"

#include <bit>

namespace plimsoll {
namespace {

constexpr NodeId kNobody = ~NodeId{0};

}  // namespace

NodeRanking::NodeRanking(const std::vector<std::uint32_t>& rank)
    : nodes_(rank.size()), leaves_(std::bit_ceil(rank.size())), winners_(2 * leaves_, kNobody) {
  for (NodeId id = 0; id < rank.size(); ++id) {
    nodes_[id].rank = rank[id];
    winners_[leaves_ + id] = id;
  }
  for (std::size_t match = leaves_ - 1; match > 0; --match) {
    winners_[match] = Better(winners_[2 * match], winners_[2 * match + 1]);
  }
}

NodeId NodeRanking::Better(NodeId a, NodeId b) const {
  if (a == kNobody || b == kNobody) return a == kNobody ? b : a;
  const Node& one = nodes_[a];
  const Node& other = nodes_[b];
  if (one.points != other.points) return one.points > other.points ? a : b;
  return one.rank < other.rank ? a : b;
}

// A match that another node wins before and after leaves all matches above as they are.
void NodeRanking::Set(NodeId id, std::int32_t points) {
  if (nodes_[id].points == points) return;
  nodes_[id].points = points;
  for (std::size_t match = (leaves_ + id) / 2; match > 0; match /= 2) {
    const NodeId before = winners_[match];
    winners_[match] = Better(winners_[2 * match], winners_[2 * match + 1]);
    if (before != id && winners_[match] == before) return;
  }
}

void NodePool::Set(NodeId id, bool in) {
  if ((places_[id] != kNone) == in) return;
  if (in) {
    places_[id] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(id);
    return;
  }
  const NodeId last = nodes_.back();
  nodes_[places_[id]] = last;
  places_[last] = places_[id];
  places_[id] = kNone;
  nodes_.pop_back();
}

}  // namespace plimsoll
