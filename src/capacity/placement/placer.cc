// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/placer.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace plimsoll {

std::size_t ShapesKept(std::size_t nodes) {
  constexpr std::size_t kScoresMost = 8'000'000;
  return std::max<std::size_t>(16, kScoresMost / std::max<std::size_t>(1, nodes));
}

Placer::Placer(const Cluster& cluster, const PlacerOptions& options)
    : options_(options),
      context_(ScoreContextOf(cluster, options.measure)),
      rank_(cluster.size()),
      random_(options.seed, "placement.choice", 0),
      fragmented_(cluster.size()) {
  PLIMSOLL_CHECK(options.policy != PlacementPolicy::kFgd || options.measure != nullptr);
  std::iota(rank_.begin(), rank_.end(), std::uint32_t{0});
  if (!options.shuffle_ties) return;
  RandomStream ties(options.seed, "placement.ties", 0);
  for (std::size_t i = rank_.size(); i > 1; --i) std::swap(rank_[i - 1], rank_[ties.Below(i)]);
}

std::int64_t Placer::FragmentedOf(const Cluster& cluster, NodeId id) {
  if (options_.policy != PlacementPolicy::kFgd) return 0;
  const std::uint32_t version = cluster.free(id).version;
  Fragmented& kept = fragmented_[id];
  if (kept.version != version) {
    kept = {version, options_.measure->Fragmented(NodeIdle(cluster, id), context_.counts)};
  }
  return kept.value;
}

NodeScore Placer::Score(const Cluster& cluster, NodeId id, const PodShape& shape) {
  return ScoreNode(options_.policy, cluster, id, shape, FragmentedOf(cluster, id), context_);
}

void Placer::Learn(const Cluster& cluster, NodeId id, const PodShape& shape, Known& known) {
  const bool fits = cluster.Fits(id, shape);
  known.versions[id] = cluster.free(id).version;
  if (options_.policy == PlacementPolicy::kRandom) {
    known.fitting.Set(id, fits);
  } else {
    const std::int64_t points = fits ? Score(cluster, id, shape).points : kDoesNotFit;
    known.ranking.Set(id, static_cast<std::int32_t>(points));
  }
}

void Placer::ForgetOldest() {
  const auto oldest =
      std::ranges::min_element(known_, {}, [](const auto& entry) { return entry.second.asked; });
  known_.erase(oldest);
}

Placer::Known& Placer::UpToDate(const Cluster& cluster, const PodShape& shape) {
  PLIMSOLL_CHECK(cluster.size() == rank_.size());
  const Key key{shape.cpu_milli, shape.memory_mib, shape.gpus,
                shape.gpu_milli, shape.flavors,    shape.mig_profile};
  const bool fresh = !known_.contains(key);
  if (fresh && known_.size() >= ShapesKept(rank_.size())) ForgetOldest();
  Known& known = known_[key];
  known.asked = ++asked_;
  const auto changed = fresh ? std::nullopt : cluster.ChangedSince(known.mark);
  known.mark = cluster.mark();
  if (fresh) {
    known.versions.resize(rank_.size());
    if (options_.policy == PlacementPolicy::kRandom) {
      known.fitting = NodePool(rank_.size());
    } else {
      known.ranking = NodeRanking(rank_);
    }
  }
  if (!changed) {
    for (NodeId id = 0; id < cluster.size(); ++id) {
      if (fresh || known.versions[id] != cluster.free(id).version) {
        Learn(cluster, id, shape, known);
      }
    }
    return known;
  }
  for (const NodeId id : *changed) {
    if (known.versions[id] != cluster.free(id).version) Learn(cluster, id, shape, known);
  }
  return known;
}

std::optional<Placement> Placer::Choose(const Cluster& cluster, const PodShape& shape) {
  const Known& known = UpToDate(cluster, shape);
  if (options_.policy == PlacementPolicy::kRandom) {
    if (known.fitting.nodes().empty()) return std::nullopt;
    return Draw(cluster, shape, known.fitting.nodes());
  }
  if (rank_.empty()) return std::nullopt;
  const NodeId best = known.ranking.first();
  if (known.ranking.points(best) == kDoesNotFit) return std::nullopt;
  return Placement{best, Score(cluster, best, shape).gpus};
}

std::optional<Placement> Placer::ChooseAmong(const Cluster& cluster, const PodShape& shape,
                                             std::span<const NodeId> nodes) {
  const Known& known = UpToDate(cluster, shape);
  if (options_.policy == PlacementPolicy::kRandom) {
    std::vector<NodeId> fitting;
    std::ranges::copy_if(nodes, std::back_inserter(fitting),
                         [&](NodeId id) { return known.fitting.Has(id); });
    if (fitting.empty()) return std::nullopt;
    return Draw(cluster, shape, fitting);
  }
  std::int32_t most = kDoesNotFit;
  NodeId best = 0;
  for (const NodeId id : nodes) {
    const std::int32_t points = known.ranking.points(id);
    if (points < most || points == kDoesNotFit) continue;
    if (points == most && rank_[best] < rank_[id]) continue;
    most = points;
    best = id;
  }
  if (most == kDoesNotFit) return std::nullopt;
  return Placement{best, Score(cluster, best, shape).gpus};
}

// Any node, and for a pod that shares a GPU any of its GPUs; whole ones are alike, and slices have
// a best place.
Placement Placer::Draw(const Cluster& cluster, const PodShape& shape,
                       std::span<const NodeId> fitting) {
  const NodeId id = fitting[random_.Below(fitting.size())];
  if (shape.gpus == 0) return {id, 0};
  if (shape.gpu_milli == kMilliPerGpu || shape.mig_profile != kNoMigProfile) {
    return {id, cluster.ChooseGpus(id, shape)};
  }
  const auto left = cluster.gpu_milli(id);
  std::vector<std::size_t> gpus;
  for (std::size_t gpu = 0; gpu < left.size(); ++gpu) {
    if (left[gpu] >= shape.gpu_milli) gpus.push_back(gpu);
  }
  return {id, GpuSet{1} << gpus[random_.Below(gpus.size())]};
}

std::optional<std::vector<Placement>> Placer::TakeGang(Cluster& cluster, const PodShape& shape,
                                                       std::int32_t pods) {
  std::vector<Placement> taken;
  while (static_cast<std::int32_t>(taken.size()) < pods) {
    const std::optional<Placement> place = Choose(cluster, shape);
    if (!place) {
      for (const Placement& back : taken) cluster.Give(back.node, shape, back.gpus);
      return std::nullopt;
    }
    cluster.Take(place->node, shape, place->gpus);
    taken.push_back(*place);
  }
  return taken;
}

}  // namespace plimsoll
