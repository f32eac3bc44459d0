// NodeScore: how well a pod would lie on a node, by policy, in whole points: more is better.
//
// The formulas and their rounding are those of the public simulator of Weng et al. (USENIX ATC
// 2023), so that its published runs can be repeated; its limits of 128 CPUs and 8 GPUs are here
// the largest node of the cluster, which is the same on its trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "capacity/model/cluster.h"
#include "capacity/placement/fragmentation.h"

namespace plimsoll {

enum class PlacementPolicy : unsigned char {
  kRandom,      // any node that fits
  kDotProduct,  // least of free x asked (Tetris turned around: the fullest that matches)
  kClustering,  // beside pods that ask for as many GPUs
  kPacking,     // shared GPUs before idle ones before idle nodes
  kBestFit,     // least CPU and GPU left over
  kFgd,         // least growth of fragmentation (fragmentation gradient descent)
};
std::optional<PlacementPolicy> ParsePlacementPolicy(std::string_view name);
std::string_view NameOf(PlacementPolicy policy);  // random, dotprod, clustering, packing...

// What a score looks at besides the node.
struct ScoreContext {
  std::int64_t cpu_milli_max = 0;  // of the largest node
  std::int64_t gpu_milli_max = 0;
  const FragmentationMeasure* measure = nullptr;  // of kFgd
  FragmentationMeasure::Counts counts;            // room for it
};
ScoreContext ScoreContextOf(const Cluster& cluster, const FragmentationMeasure* measure);

struct NodeScore {
  std::int64_t points = 0;
  GpuSet gpus = 0;  // that the policy takes there
};

// `fragmented` is the measure's Fragmented of the node as it is (kFgd). kRandom scores all alike.
// REQUIRES: cluster.Fits(id, shape); kFgd has a measure
NodeScore ScoreNode(PlacementPolicy policy, const Cluster& cluster, NodeId id,
                    const PodShape& shape, std::int64_t fragmented, ScoreContext& context);

}  // namespace plimsoll
