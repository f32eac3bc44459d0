// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/defragmentation.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>

#include "base/check.h"
#include "capacity/topology/domain_order.h"
#include "capacity/topology/gang_placer.h"
#include "capacity/topology/slot_counts.h"
#include "units/money.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kNoCost = std::numeric_limits<std::int64_t>::max();

// A job seen from one domain.
struct Resident {
  std::uint32_t job;
  std::int64_t cost;       // GPU-milliseconds, of the whole job
  std::int64_t gpu_milli;  // that it holds in the domain
};

class Search {
 public:
  Search(const Cluster& cluster, std::span<const MovableJob> jobs, const GangRequest& gang,
         const DefragmentationLimits& limits)
      : cluster_(cluster),
        order_(cluster_),
        counts_(cluster_, order_, SliceShapeOf(gang, order_.levels())),
        jobs_(jobs),
        gang_(gang),
        level_(gang.topology.level),
        steps_left_(limits.steps_max) {}

  std::optional<DefragmentationAdvice> Run() {
    // Domains that could be cheap first: what they find ends the search of the others early.
    std::vector<std::pair<std::int64_t, std::uint32_t>> domains;
    for (std::uint32_t i = 0; i < order_.size(level_); ++i) {
      place_ = i;
      Enter();
      const std::int64_t bound = Bound(0);
      if (bound != kNoCost) domains.emplace_back(bound, i);
    }
    std::ranges::sort(domains);
    for (const auto& [bound, i] : domains) {
      if (bound >= best_cost_) break;
      place_ = i;
      Enter();
      Greedy();
      Branch(0, 0);
    }
    if (best_cost_ == kNoCost) return std::nullopt;
    return Advice(steps_left_ > 0 || domains.empty() ? best_cost_ : domains.front().first);
  }

 private:
  // The jobs of the domain place_, the cheapest by what they free first.
  void Enter() {
    residents_.clear();
    chosen_.clear();
    for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
      std::int64_t milli = 0;
      bool here = false;
      for (const HeldPod& pod : jobs_[job].pods) {
        if (!InDomain(pod.node)) continue;
        here = true;
        if (cluster_.free(pod.node).up) milli += GpuMilli(pod.shape);
      }
      if (here) residents_.push_back({job, jobs_[job].cost.base(), milli});
    }
    std::ranges::stable_sort(residents_, [](const Resident& a, const Resident& b) {
      if (a.gpu_milli == 0 || b.gpu_milli == 0) return b.gpu_milli == 0 && a.gpu_milli > 0;
      return int128{a.cost} * b.gpu_milli < int128{b.cost} * a.gpu_milli;
    });
    free_milli_ = 0;
    for (NodeId node = 0; node < cluster_.size(); ++node) {
      if (InDomain(node) && cluster_.free(node).up) free_milli_ += cluster_.free(node).gpu_milli;
    }
  }

  bool InDomain(NodeId node) const {
    const std::uint32_t i = order_.place_of(node);
    return i < order_.placed(order_.levels()) && order_.holder(level_, i) == place_;
  }

  bool Enough() const {
    return counts_.slices(level_)[place_] * counts_.shape().slice_pods >= gang_.pods;
  }

  void Move(const Resident& resident, bool away) {
    for (const HeldPod& pod : jobs_[resident.job].pods) {
      if (!cluster_.free(pod.node).up) continue;
      if (away) {
        cluster_.Give(pod.node, pod.shape, pod.gpus);
      } else {
        cluster_.Take(pod.node, pod.shape, pod.gpus);
      }
      counts_.Update(pod.node);
    }
    free_milli_ += away ? resident.gpu_milli : -resident.gpu_milli;
  }

  // No choice among the residents from `next` on makes room for less: they would have to free
  // the GPUs that lack, at best by parts of jobs. kNoCost: all of them do not.
  std::int64_t Bound(std::size_t next) const {
    std::int64_t lacks = std::int64_t{gang_.pods} * GpuMilli(gang_.shape) - free_milli_;
    std::int64_t cost = 0;
    for (std::size_t i = next; i < residents_.size() && lacks > 0; ++i) {
      const Resident& one = residents_[i];
      const std::int64_t part = std::min(one.gpu_milli, lacks);
      if (part > 0) {
        cost += static_cast<std::int64_t>(int128{one.cost} * part / one.gpu_milli);
      }
      lacks -= part;
    }
    return lacks > 0 ? kNoCost : cost;
  }

  // Cheapest first until it fits; then whoever need not move stays, the dearest first.
  void Greedy() {
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < residents_.size() && !Enough(); ++i) {
      Move(residents_[i], true);
      moved.push_back(i);
    }
    if (Enough()) {
      std::vector<std::size_t> by_cost = moved;
      std::ranges::sort(by_cost, std::greater<>(), [&](auto i) { return residents_[i].cost; });
      for (const std::size_t i : by_cost) {
        Move(residents_[i], false);
        if (Enough()) {
          std::erase(moved, i);
        } else {
          Move(residents_[i], true);
        }
      }
      std::int64_t cost = 0;
      chosen_.clear();
      for (const std::size_t i : moved) {
        cost += residents_[i].cost;
        chosen_.push_back(residents_[i].job);
      }
      Keep(cost);
      chosen_.clear();
    }
    for (const std::size_t i : moved) Move(residents_[i], false);
  }

  void Branch(std::size_t next, std::int64_t cost) {
    if (Enough()) return Keep(cost);
    if (next == residents_.size() || steps_left_ <= 0) return;
    const std::int64_t bound = Bound(next);
    if (bound == kNoCost || cost + bound >= best_cost_) return;
    --steps_left_;
    Move(residents_[next], true);
    chosen_.push_back(residents_[next].job);
    Branch(next + 1, cost + residents_[next].cost);
    chosen_.pop_back();
    Move(residents_[next], false);
    Branch(next + 1, cost);
  }

  void Keep(std::int64_t cost) {
    if (cost >= best_cost_) return;
    best_cost_ = cost;
    best_place_ = place_;
    best_ = chosen_;
  }

  DefragmentationAdvice Advice(std::int64_t bound) {
    DefragmentationAdvice advice;
    advice.domain = order_.domain(level_, best_place_);
    advice.move = best_;
    std::ranges::sort(advice.move);
    advice.cost = GpuMillis(best_cost_);
    advice.cost_bound = GpuMillis(std::min(bound, best_cost_));
    GangPlacer placer(cluster_);
    for (const std::uint32_t job : advice.move) {
      for (const HeldPod& pod : jobs_[job].pods) {
        if (cluster_.free(pod.node).up) cluster_.Give(pod.node, pod.shape, pod.gpus);
      }
    }
    advice.gpus_moved = CardsOf(advice.move);
    advice.nodes = Settle(placer, gang_);
    PLIMSOLL_CHECK(!advice.nodes.empty());
    // Large ones first: they have the least choice.
    std::vector<std::uint32_t> order = advice.move;
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t job) {
      return jobs_[job].request.pods * GpuMilli(jobs_[job].request.shape);
    });
    for (const std::uint32_t job : order) {
      if (Settle(placer, jobs_[job].request).empty()) advice.wait.push_back(job);
    }
    std::ranges::sort(advice.wait);
    return advice;
  }

  // Cards of which the jobs hold all or a part.
  std::int32_t CardsOf(const std::vector<std::uint32_t>& jobs) const {
    std::map<NodeId, GpuSet> held;
    for (const std::uint32_t job : jobs) {
      for (const HeldPod& pod : jobs_[job].pods) {
        GpuSet cards = pod.gpus;
        if (pod.shape.mig_profile != kNoMigProfile) {  // slices of one card
          cards = pod.gpus == 0 ? 0 : GpuSet{1} << (std::countr_zero(pod.gpus) / kMigSlicesMax);
        }
        held[pod.node] |= cards;
      }
    }
    std::int32_t cards = 0;
    for (const auto& [node, set] : held) cards += std::popcount(set);
    return cards;
  }

  std::vector<NodePods> Settle(GangPlacer& placer, const GangRequest& request) {
    GangOutcome outcome = placer.Place(request);
    for (const NodePods& node : outcome.nodes) {
      for (std::int32_t pod = 0; pod < node.pods; ++pod) {
        cluster_.Take(node.node, request.shape, cluster_.ChooseGpus(node.node, request.shape));
      }
      placer.NodeChanged(node.node);
    }
    return std::move(outcome.nodes);
  }

  Cluster cluster_;  // a copy that jobs are moved about in
  DomainOrder order_;
  SlotCounts counts_;
  std::span<const MovableJob> jobs_;
  const GangRequest& gang_;
  std::uint32_t level_;
  std::int64_t steps_left_;

  std::uint32_t place_ = 0;  // of the domain looked at
  std::vector<Resident> residents_;
  std::int64_t free_milli_ = 0;
  std::vector<std::uint32_t> chosen_;

  std::int64_t best_cost_ = kNoCost;
  std::uint32_t best_place_ = 0;
  std::vector<std::uint32_t> best_;
};

}  // namespace

GpuHours RestartCost(const TrainingJob& job, Duration since_checkpoint) {
  const Duration lost = since_checkpoint + job.checkpoint.restart + job.checkpoint.warm_up;
  return GpuMillis((GpuMilli(job) * lost.base() + kMilliPerGpu - 1) / kMilliPerGpu);
}

std::optional<DefragmentationAdvice> AdviseDefragmentation(const Cluster& cluster,
                                                           std::span<const MovableJob> jobs,
                                                           const GangRequest& gang,
                                                           const DefragmentationLimits& limits) {
  PLIMSOLL_CHECK(gang.topology.mode == TopologyMode::kRequired);
  PLIMSOLL_CHECK(gang.topology.level < cluster.tree().levels().size());
  return Search(cluster, jobs, gang, limits).Run();
}

}  // namespace plimsoll
