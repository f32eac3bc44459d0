// A second way to score and choose nodes, written from the published text of each policy alone: no
// cache, no counts by demand, sums of a node's GPUs looked at one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/placement/node_score.h"
#include "capacity/placement/typical_pods.h"

namespace plimsoll::naive {

// A node as plain numbers, and the pods that run there.
struct Node {
  std::int64_t cpu = 0, memory = 0;
  std::uint32_t flavor = 0;
  std::vector<std::int64_t> left;  // thousandths of each GPU
  std::vector<PodShape> pods;
};

// F_n(M) times the number of typical pods.
std::int64_t Fragmented(const Node& node, const TypicalPods& typical);

struct Choice {
  std::size_t node = 0;
  std::vector<std::size_t> gpus;
};
// The first node of the most points; null where none takes the pod. Not for kRandom.
std::optional<Choice> Choose(PlacementPolicy policy, const std::vector<Node>& nodes,
                             const PodShape& pod, const TypicalPods& typical);
void Take(Node& node, const PodShape& pod, const std::vector<std::size_t>& gpus);

}  // namespace plimsoll::naive
