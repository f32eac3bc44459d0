// Placer: picks a node of a cluster, and GPUs of that node, for one pod after another.
//
// Of the nodes with the most points (node_score.h) the first in the tie order wins; kRandom draws.
// Scores are kept by (shape, node) for as long as the node's version stays: a pick costs a score of
// each node that changed since the shape was asked for last, whatever the size of the cluster; one
// of every node where more shapes than ShapesKept() were asked for in between.
// One Placer serves one cluster as it changes; for a copy that goes its own way, copy the placer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/placement/fragmentation.h"
#include "capacity/placement/node_ranking.h"
#include "capacity/placement/node_score.h"
#include "sim/random.h"

namespace plimsoll {

struct Placement {
  NodeId node = 0;
  GpuSet gpus = 0;
  friend bool operator==(const Placement&, const Placement&) = default;
};

struct PlacerOptions {
  PlacementPolicy policy = PlacementPolicy::kBestFit;
  const FragmentationMeasure* measure = nullptr;  // kFgd: it outlives the placer
  // Nodes in an order drawn from the seed decide ties, not the cluster's own order: FGD and
  // packing owe some points to a fixed order, whichever it is.
  bool shuffle_ties = false;
  std::uint64_t seed = 0;
};

// Of how many shapes a placer keeps the scores of so many nodes: what is asked for least recently
// is forgotten, and scored anew if it is asked for again. Eight million scores, some 200 MB.
std::size_t ShapesKept(std::size_t nodes);

class Placer {
 public:
  Placer(const Cluster& cluster, const PlacerOptions& options);

  // Where the pod goes; null where no node takes it. Takes nothing; the caller does, and whoever
  // else may between calls. REQUIRES: the cluster that the placer was made for
  std::optional<Placement> Choose(const Cluster& cluster, const PodShape& shape);
  // The same among some nodes, each named once.
  std::optional<Placement> ChooseAmong(const Cluster& cluster, const PodShape& shape,
                                       std::span<const NodeId> nodes);

  // All pods of a gang, each where Choose puts it after the ones before, taken from `cluster`, or
  // none and nothing taken.
  std::optional<std::vector<Placement>> TakeGang(Cluster& cluster, const PodShape& shape,
                                                 std::int32_t pods);

 private:
  // What is known of the nodes for one shape.
  struct Known {
    std::uint64_t mark = 0;               // of the cluster, when it was brought up to date
    std::vector<std::uint32_t> versions;  // of the nodes as they were scored
    NodeRanking ranking;                  // by points
    NodePool fitting;                     // of kRandom, in place of the ranking
    std::uint64_t asked = 0;              // which of all calls asked last
  };
  using Key =
      std::tuple<std::int64_t, std::int64_t, std::int32_t, std::int32_t, FlavorSet, std::int32_t>;

  Known& UpToDate(const Cluster& cluster, const PodShape& shape);
  void ForgetOldest();
  void Learn(const Cluster& cluster, NodeId id, const PodShape& shape, Known& known);
  NodeScore Score(const Cluster& cluster, NodeId id, const PodShape& shape);
  std::int64_t FragmentedOf(const Cluster& cluster, NodeId id);
  Placement Draw(const Cluster& cluster, const PodShape& shape, std::span<const NodeId> fitting);

  PlacerOptions options_;
  ScoreContext context_;
  std::vector<std::uint32_t> rank_;  // of each node in the tie order
  RandomStream random_;
  std::map<Key, Known> known_;  // at most ShapesKept of them
  std::uint64_t asked_ = 0;
  struct Fragmented {
    std::uint32_t version = ~std::uint32_t{0};
    std::int64_t value = 0;
  };
  std::vector<Fragmented> fragmented_;  // of each node as it is
};

}  // namespace plimsoll
