// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/placer.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace plimsoll {

Placer::Placer(const Cluster& cluster, const PlacerOptions& options)
    : options_(options),
      context_(ScoreContextOf(cluster, options.measure)),
      all_(cluster.size()),
      rank_(cluster.size()),
      random_(options.seed, "placement.choice", 0),
      fragmented_(cluster.size()) {
  PLIMSOLL_CHECK(options.policy != PlacementPolicy::kFgd || options.measure != nullptr);
  std::iota(all_.begin(), all_.end(), NodeId{0});
  std::iota(rank_.begin(), rank_.end(), std::uint32_t{0});
  if (!options.shuffle_ties) return;
  RandomStream ties(options.seed, "placement.ties", 0);
  for (std::size_t i = rank_.size(); i > 1; --i) std::swap(rank_[i - 1], rank_[ties.Below(i)]);
}

std::vector<Placer::Entry>& Placer::EntriesOf(const PodShape& shape) {
  const Key key{shape.cpu_milli, shape.memory_mib, shape.gpus,
                shape.gpu_milli, shape.flavors,    shape.mig_profile};
  std::vector<Entry>& entries = entries_[key];
  if (entries.empty()) entries.resize(all_.size());
  return entries;
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

std::int32_t Placer::PointsOf(const Cluster& cluster, NodeId id, const PodShape& shape,
                              Entry& entry) {
  const std::uint32_t version = cluster.free(id).version;
  if (entry.version == version) return entry.points;
  entry.version = version;
  entry.points = kDoesNotFit;
  if (cluster.Fits(id, shape)) {
    entry.points = static_cast<std::int32_t>(Score(cluster, id, shape).points);
  }
  return entry.points;
}

std::optional<Placement> Placer::Choose(const Cluster& cluster, const PodShape& shape) {
  return ChooseAmong(cluster, shape, all_);
}

std::optional<Placement> Placer::ChooseAmong(const Cluster& cluster, const PodShape& shape,
                                             std::span<const NodeId> nodes) {
  PLIMSOLL_CHECK(cluster.size() == all_.size());
  if (options_.policy == PlacementPolicy::kRandom) return Draw(cluster, shape, nodes);
  std::vector<Entry>& entries = EntriesOf(shape);
  std::int32_t most = kDoesNotFit;
  NodeId best = 0;
  for (const NodeId id : nodes) {
    const std::int32_t points = PointsOf(cluster, id, shape, entries[id]);
    if (points < most || points == kDoesNotFit) continue;
    if (points == most && rank_[best] < rank_[id]) continue;
    most = points;
    best = id;
  }
  if (most == kDoesNotFit) return std::nullopt;
  return Placement{best, Score(cluster, best, shape).gpus};
}

std::optional<Placement> Placer::Draw(const Cluster& cluster, const PodShape& shape,
                                      std::span<const NodeId> nodes) {
  std::vector<Entry>& entries = EntriesOf(shape);
  fitting_.clear();
  for (const NodeId id : nodes) {
    if (PointsOf(cluster, id, shape, entries[id]) != kDoesNotFit) fitting_.push_back(id);
  }
  if (fitting_.empty()) return std::nullopt;
  const NodeId id = fitting_[random_.Below(fitting_.size())];
  return Placement{id, DrawGpus(cluster, id, shape)};
}

// Any GPU for a pod that shares one; whole ones and slices are alike or have a best place.
GpuSet Placer::DrawGpus(const Cluster& cluster, NodeId id, const PodShape& shape) {
  if (shape.gpus == 0) return 0;
  if (shape.gpu_milli == kMilliPerGpu || shape.mig_profile != kNoMigProfile) {
    return cluster.ChooseGpus(id, shape);
  }
  const auto left = cluster.gpu_milli(id);
  const auto fits = [&](std::int32_t milli) { return milli >= shape.gpu_milli; };
  auto skip = random_.Below(static_cast<std::uint64_t>(std::ranges::count_if(left, fits)));
  for (std::size_t gpu = 0; gpu < left.size(); ++gpu) {
    if (fits(left[gpu]) && skip-- == 0) return GpuSet{1} << gpu;
  }
  return 0;  // not reached: the node fits
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
