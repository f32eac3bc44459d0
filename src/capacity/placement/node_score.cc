// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/node_score.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/check.h"
#include "sim/portable_math.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kPointsMax = 100;

constexpr std::array<std::pair<std::string_view, PlacementPolicy>, 6> kPolicies{{
    {"random", PlacementPolicy::kRandom},
    {"dotprod", PlacementPolicy::kDotProduct},
    {"clustering", PlacementPolicy::kClustering},
    {"packing", PlacementPolicy::kPacking},
    {"bestfit", PlacementPolicy::kBestFit},
    {"fgd", PlacementPolicy::kFgd},
}};

double Part(std::int64_t amount, std::int64_t most) {
  return most == 0 ? 0 : static_cast<double>(amount) / static_cast<double>(most);
}

std::int64_t DotProduct(const Cluster::Free& free, const PodShape& shape,
                        const ScoreContext& context) {
  double product =
      Part(free.cpu_milli, context.cpu_milli_max) * Part(shape.cpu_milli, context.cpu_milli_max);
  product +=
      Part(free.gpu_milli, context.gpu_milli_max) * Part(GpuMilli(shape), context.gpu_milli_max);
  return static_cast<std::int64_t>(static_cast<double>(kPointsMax) * (1 - product / 2));
}

std::int64_t BestFit(const Cluster::Free& free, const PodShape& shape,
                     const ScoreContext& context) {
  double left = Part(free.cpu_milli - shape.cpu_milli, context.cpu_milli_max) * 0.5;
  left += Part(free.gpu_milli - GpuMilli(shape), context.gpu_milli_max) * 0.5;
  return static_cast<std::int64_t>((1 - left) * static_cast<double>(kPointsMax));
}

// A quarter of the points each: a node of others, an idle one, one of such pods and others, one
// of such pods alone; within a quarter, the fuller the better.
std::int64_t Clustering(const Cluster::Free& free, const PodShape& shape,
                        const ScoreContext& context) {
  if (shape.gpus == 0) return 0;
  const std::size_t kind =
      shape.gpu_milli < kMilliPerGpu ? 0 : static_cast<std::size_t>(shape.gpus);
  const std::uint64_t bit = std::uint64_t{1} << std::min<std::size_t>(kind, 63);
  std::int64_t quarter = 0;
  if ((free.kinds & bit) != 0) {
    quarter = free.kinds == bit ? 3 : 2;
  } else if (free.kinds == 0) {
    quarter = 1;
  }
  const std::int64_t fullness = kPointsMax / 4 * (context.gpu_milli_max - free.gpu_milli);
  return fullness / context.gpu_milli_max + quarter * kPointsMax / 4;
}

std::int64_t Packing(const Cluster& cluster, NodeId id, const PodShape& shape, GpuSet gpus) {
  if (shape.gpus == 0) return 0;
  const Cluster::Free& free = cluster.free(id);
  const std::int32_t all = cluster.node(id).gpus;
  if (free.whole_gpus == all) return std::max<std::int64_t>(kPointsMax / 3 - all, 0);
  if (shape.mig_profile != kNoMigProfile) {
    const auto gpu = static_cast<std::size_t>(std::countr_zero(gpus)) / kMigSlicesMax;
    const CardSlices& taken = cluster.slices(id)[gpu];
    if (taken.empty()) return kPointsMax / 2 - 1;
    return kPointsMax - (kMilliPerGpu - taken.milli) / 100;
  }
  const std::int32_t left = cluster.gpu_milli(
      id)[static_cast<std::size_t>(std::countr_zero(gpus))];  // the fullest that it fits on
  if (left == kMilliPerGpu) {
    return std::max<std::int64_t>(kPointsMax / 2 - shape.gpus, kPointsMax / 3);
  }
  return std::max<std::int64_t>(kPointsMax - left / 10 / 10, kPointsMax / 2);
}

// 50 where fragmentation stays as it is; a GPU less of it gives 73, a GPU more 26.
std::int64_t Gradient(std::int64_t before, std::int64_t after, std::int64_t pods) {
  const double fall = static_cast<double>(before - after) / static_cast<double>(pods) / 1'000;
  return static_cast<std::int64_t>(static_cast<double>(kPointsMax) / (1 + portable::Exp(-fall)));
}

// A pod with a part of a GPU tries each of the node's, others have no choice that matters.
NodeScore Fgd(const Cluster& cluster, NodeId id, const PodShape& shape, std::int64_t fragmented,
              ScoreContext& context) {
  const std::int64_t pods = context.measure->typical().count;
  const NodeIdle node(cluster, id);
  const auto with = [&](GpuSet gpus) {
    NodeIdle then = node;
    then.Take(shape, gpus);
    return Gradient(fragmented, context.measure->Fragmented(then, context.counts), pods);
  };
  const bool shared =
      shape.gpus == 1 && shape.gpu_milli < kMilliPerGpu && shape.mig_profile == kNoMigProfile;
  if (!shared) {
    const GpuSet gpus = cluster.ChooseGpus(id, shape);
    return {with(gpus), gpus};
  }
  NodeScore best{-1, 0};
  for (std::size_t gpu = 0; gpu < node.gpus; ++gpu) {
    const std::int32_t left = node.gpu_milli[gpu];
    if (left < shape.gpu_milli) continue;
    const auto tried = node.gpu_milli.begin() + static_cast<std::ptrdiff_t>(gpu);
    if (std::find(node.gpu_milli.begin(), tried, left) != tried) continue;  // it gave the same
    const GpuSet gpus = GpuSet{1} << gpu;
    const std::int64_t points = with(gpus);
    if (points > best.points) best = {points, gpus};
  }
  return best;
}

}  // namespace

std::optional<PlacementPolicy> ParsePlacementPolicy(std::string_view name) {
  for (const auto& [text, policy] : kPolicies) {
    if (text == name) return policy;
  }
  return std::nullopt;
}

std::string_view NameOf(PlacementPolicy policy) {
  for (const auto& [text, value] : kPolicies) {
    if (value == policy) return text;
  }
  return "";
}

ScoreContext ScoreContextOf(const Cluster& cluster, const FragmentationMeasure* measure) {
  ScoreContext context;
  context.measure = measure;
  for (NodeId id = 0; id < cluster.size(); ++id) {
    const NodeSpec& node = cluster.node(id);
    context.cpu_milli_max = std::max(context.cpu_milli_max, node.cpu_milli);
    context.gpu_milli_max = std::max(context.gpu_milli_max, std::int64_t{node.gpus} * kMilliPerGpu);
  }
  return context;
}

NodeScore ScoreNode(PlacementPolicy policy, const Cluster& cluster, NodeId id,
                    const PodShape& shape, std::int64_t fragmented, ScoreContext& context) {
  const Cluster::Free& free = cluster.free(id);
  if (policy == PlacementPolicy::kFgd) {
    PLIMSOLL_CHECK(context.measure != nullptr);
    return Fgd(cluster, id, shape, fragmented, context);
  }
  const GpuSet gpus = shape.gpus == 0 ? 0 : cluster.ChooseGpus(id, shape);
  switch (policy) {
    case PlacementPolicy::kDotProduct:
      return {DotProduct(free, shape, context), gpus};
    case PlacementPolicy::kClustering:
      return {Clustering(free, shape, context), gpus};
    case PlacementPolicy::kPacking:
      return {Packing(cluster, id, shape, gpus), gpus};
    case PlacementPolicy::kBestFit:
      return {BestFit(free, shape, context), gpus};
    case PlacementPolicy::kRandom:
    case PlacementPolicy::kFgd:
      break;
  }
  return {0, gpus};
}

}  // namespace plimsoll
