// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/gang_placer.h"

#include <algorithm>

#include "base/check.h"
#include "capacity/topology/domain_order.h"
#include "capacity/topology/slot_counts.h"

namespace plimsoll {
namespace {

constexpr std::size_t kCountsMax = 64;        // shapes whose slots are kept at once
constexpr std::size_t kChangesKept = 65'536;  // counts that are further behind start anew

// A domain that may be chosen, and then how many slices and pods of it are.
struct Candidate {
  std::uint32_t place = 0;
  std::int64_t slices = 0;
  std::int64_t pods = 0;
};

enum class Fill : unsigned char {
  kBestFit,    // largest first, and the last one the smallest that suffices
  kLeastFree,  // smallest first
};

// One gang on its way from the level where it fits down to nodes.
class Descent {
 public:
  Descent(const DomainOrder& order, SlotCounts& counts, const GangRequest& request)
      : order_(order),
        counts_(counts),
        pods_(request.pods),
        mode_(request.topology.mode),
        level_(request.topology.level),
        slice_pods_(counts.shape().slice_pods),
        slice_level_(counts.shape().slice_level),
        slices_(pods_ / slice_pods_),
        fill_(mode_ == TopologyMode::kNone ? Fill::kLeastFree : Fill::kBestFit) {
    // Without a wish but with slices these may be anywhere; without both, so may single pods.
    if (mode_ == TopologyMode::kNone) level_ = slice_pods_ > 1 ? 0 : order.levels();
    PLIMSOLL_CHECK(pods_ > 0 && pods_ % slice_pods_ == 0);
    PLIMSOLL_CHECK(level_ <= slice_level_);
  }

  bool Fits() const { return Shortage() == GangShortage::kNone; }

  GangOutcome Place() {
    GangOutcome outcome;
    outcome.shortage = Shortage();
    if (outcome.placed()) {
      Choose();
      while (level_ < order_.levels()) GoDown();
      for (const Candidate& node : chosen_) {
        outcome.nodes.push_back({order_.node(node.place), static_cast<std::int32_t>(node.pods)});
      }
      return outcome;
    }
    outcome.slots = counts_.total_pods();
    for (const std::int64_t slices : Slices(level_)) {
      outcome.largest = std::max(outcome.largest, slices * slice_pods_);
    }
    return outcome;
  }

 private:
  // Of the domains, or of the nodes that lie in some.
  std::span<const std::int64_t> Slices(std::uint32_t level) const {
    return counts_.slices(level).first(order_.placed(level));
  }
  std::span<const std::int64_t> Pods(std::uint32_t level) const {
    return counts_.pods(level).first(order_.placed(level));
  }
  bool DomainEnough(std::uint32_t level) const {
    return std::ranges::any_of(Slices(level), [&](auto n) { return n >= slices_; });
  }
  // Slices of all domains together that the gang may be spread over.
  std::int64_t SlicesTogether() const {
    const bool any_node = mode_ == TopologyMode::kNone && slice_pods_ == 1;
    return any_node ? counts_.total_pods() : counts_.total_slices();
  }

  GangShortage Shortage() const {
    if (counts_.total_pods() < pods_) return GangShortage::kCount;
    if (mode_ == TopologyMode::kRequired) {
      if (DomainEnough(level_)) return GangShortage::kNone;
      const bool pods = std::ranges::any_of(Pods(level_), [&](auto n) { return n >= pods_; });
      return pods ? GangShortage::kSlices : GangShortage::kDomain;
    }
    if (SlicesTogether() >= slices_) return GangShortage::kNone;
    return slice_pods_ > 1 ? GangShortage::kSlices : GangShortage::kDomain;
  }

  // The domains of the level at which the gang lies together, or of the widest one.
  // REQUIRES: Fits
  void Choose() {
    if (mode_ == TopologyMode::kNone && slice_pods_ == 1) return FillNodes();
    if (mode_ == TopologyMode::kPreferred) {
      while (level_ > 0 && !DomainEnough(level_)) --level_;
    }
    const auto size = static_cast<std::uint32_t>(order_.placed(level_));
    candidates_.clear();
    if (const std::uint32_t one = Smallest(); one < size) {
      Add(one);
    } else {
      for (std::uint32_t i = 0; i < size; ++i) Add(i);
    }
    TakeSlices(slices_);
  }

  // Single pods anywhere: nodes with the fewest slots first (kueue#4474), also where one node
  // would hold them all.
  void FillNodes() {
    const SlotIndex& index = counts_.nodes_by_slots();
    const auto pods = counts_.pods(level_);
    chosen_.clear();
    std::int64_t left = pods_;
    for (std::int64_t lot = 1; lot < SlotIndex::kLast && left > 0; ++lot) {
      index.ForEach(lot, [&](std::uint32_t place) {
        chosen_.push_back({place, lot, std::min(lot, left)});
        left -= chosen_.back().pods;
        return left > 0;
      });
    }
    if (left > 0) {
      const std::vector<Candidate> small = std::move(chosen_);
      candidates_.clear();
      index.ForEach(SlotIndex::kLast, [&](std::uint32_t place) {
        candidates_.push_back({place, pods[place], pods[place]});
        return true;
      });
      TakeSlices(left);
      chosen_.insert(chosen_.end(), small.begin(), small.end());
    }
    std::ranges::sort(chosen_, {}, &Candidate::place);
  }

  // The first domain of those with the fewest slices that suffice, and of these the fewest pods.
  // Their number if none does.
  std::uint32_t Smallest() const {
    const auto slices = Slices(level_), pods = Pods(level_);
    std::size_t best = slices.size();
    for (std::size_t i = 0; i < slices.size(); ++i) {
      if (slices[i] < slices_) continue;
      if (best == slices.size() || slices[i] < slices[best] ||
          (slices[i] == slices[best] && pods[i] < pods[best])) {
        best = i;
      }
    }
    return static_cast<std::uint32_t>(best);
  }

  void Add(std::uint32_t i) {
    const std::int64_t pods = counts_.pods(level_)[i];
    if (pods > 0) candidates_.push_back({i, counts_.slices(level_)[i], pods});
  }

  void GoDown() {
    if (level_ < slice_level_) {
      // Above the slices all that was chosen is one pool.
      const std::vector<Candidate> parents = std::move(chosen_);
      candidates_.clear();
      ++level_;
      for (const Candidate& parent : parents) AddChildren(parent.place);
      TakeSlices(slices_);
    } else {
      // Within a slice its pods stay where they are: each domain hands its own down.
      const std::vector<Candidate> parents = std::move(chosen_);
      std::vector<Candidate> all;
      ++level_;
      for (const Candidate& parent : parents) {
        candidates_.clear();
        AddChildren(parent.place);
        TakePods(parent.pods);
        all.insert(all.end(), chosen_.begin(), chosen_.end());
      }
      chosen_ = std::move(all);
    }
    std::ranges::sort(chosen_, {}, &Candidate::place);
  }

  // REQUIRES: level_ is already that of the children
  void AddChildren(std::uint32_t parent) {
    const DomainOrder::Run run = order_.children(level_ - 1, parent);
    for (std::uint32_t i = run.begin; i < run.end; ++i) Add(i);
  }

  void TakeSlices(std::int64_t slices) {
    chosen_.clear();
    if (fill_ == Fill::kBestFit) {
      const auto enough = std::ranges::find_if(
          candidates_, [&](const Candidate& one) { return one.slices >= slices; });
      if (enough != candidates_.end()) return TakeLast(slices);
    }
    std::ranges::sort(candidates_, [&](const Candidate& a, const Candidate& b) {
      if (a.slices != b.slices) return (fill_ == Fill::kBestFit) == (a.slices > b.slices);
      return a.pods != b.pods ? a.pods < b.pods : a.place < b.place;
    });
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Candidate& one = candidates_[i];
      if (one.slices >= slices) {
        candidates_.erase(candidates_.begin(), candidates_.begin() + static_cast<long>(i));
        return TakeLast(slices);
      }
      if (one.slices == 0) continue;
      chosen_.push_back({one.place, one.slices, one.slices * slice_pods_});
      slices -= one.slices;
    }
    PLIMSOLL_CHECK(slices == 0);
  }

  // What is left, from one domain: the best fit, or the first.
  void TakeLast(std::int64_t slices) {
    const Candidate* best = nullptr;
    for (const Candidate& one : candidates_) {
      if (one.slices < slices) continue;
      if (best == nullptr || one.slices < best->slices ||
          (one.slices == best->slices && one.pods < best->pods)) {
        best = &one;
      }
    }
    chosen_.push_back({best->place, slices, slices * slice_pods_});
  }

  // Pods of one slice domain: nodes with the fewest slots first, whatever the fill.
  void TakePods(std::int64_t pods) {
    chosen_.clear();
    std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
      return a.pods != b.pods ? a.pods < b.pods : a.place < b.place;
    });
    for (const Candidate& one : candidates_) {
      const std::int64_t taken = std::min(one.pods, pods);
      chosen_.push_back({one.place, 0, taken});
      pods -= taken;
      if (pods == 0) return;
    }
    PLIMSOLL_CHECK(pods == 0);
  }

  const DomainOrder& order_;
  SlotCounts& counts_;
  std::int64_t pods_;
  TopologyMode mode_;
  std::uint32_t level_;
  std::int64_t slice_pods_;
  std::uint32_t slice_level_;
  std::int64_t slices_;
  Fill fill_;
  std::vector<Candidate> candidates_, chosen_;
};

}  // namespace

GangPlacer::GangPlacer(const Cluster& cluster)
    : cluster_(&cluster), order_(std::make_shared<const DomainOrder>(cluster)) {}
GangPlacer::GangPlacer(const Cluster& cluster, std::shared_ptr<const DomainOrder> order)
    : cluster_(&cluster), order_(std::move(order)) {}
GangPlacer::~GangPlacer() = default;
GangPlacer::GangPlacer(GangPlacer&&) noexcept = default;
GangPlacer& GangPlacer::operator=(GangPlacer&&) noexcept = default;

GangPlacer GangPlacer::For(const Cluster& copy) const {
  PLIMSOLL_CHECK(copy.size() == cluster_->size());
  GangPlacer placer(copy, order_);
  for (const auto& counts : counts_) {
    placer.counts_.push_back(std::make_unique<SlotCounts>(*counts, copy));
  }
  placer.changed_ = changed_;
  placer.dropped_ = dropped_;
  return placer;
}

void GangPlacer::NodeChanged(NodeId node) {
  if (counts_.empty()) return;
  if (changed_.size() == kChangesKept) {
    dropped_ += changed_.size();
    changed_.clear();
  }
  changed_.push_back(node);
}

SlotCounts& GangPlacer::Counts(const GangRequest& request) {
  const SliceShape shape = SliceShapeOf(request, order_->levels());
  auto found =
      std::ranges::find_if(counts_, [&](const auto& one) { return one->shape() == shape; });
  const std::uint64_t now = dropped_ + changed_.size();
  if (found == counts_.end()) {
    if (counts_.size() == kCountsMax) counts_.pop_back();
    counts_.insert(counts_.begin(), std::make_unique<SlotCounts>(*cluster_, *order_, shape));
    counts_.front()->seen = now;
    return *counts_.front();
  }
  std::rotate(counts_.begin(), found, found + 1);
  SlotCounts& counts = *counts_.front();
  if (counts.seen < dropped_) {
    counts.Refresh();
  } else {
    for (std::uint64_t i = counts.seen; i < now; ++i) counts.Update(changed_[i - dropped_]);
  }
  counts.seen = now;
  return counts;
}

GangOutcome GangPlacer::Place(const GangRequest& request) {
  return Descent(*order_, Counts(request), request).Place();
}

bool GangPlacer::Fits(const GangRequest& request) {
  return Descent(*order_, Counts(request), request).Fits();
}

GangOutcome GangPlacer::PlaceWithout(Cluster& cluster, std::span<const HeldPod> victims,
                                     const GangRequest& request) {
  PLIMSOLL_CHECK(&cluster == cluster_);
  // A node that is down takes nobody, whoever leaves it.
  const auto for_each_up = [&](auto what) {
    for (const HeldPod& pod : victims) {
      if (!cluster.free(pod.node).up) continue;
      what(pod);
      NodeChanged(pod.node);
    }
  };
  for_each_up([&](const HeldPod& pod) { cluster.Give(pod.node, pod.shape, pod.gpus); });
  GangOutcome outcome = Place(request);
  for_each_up([&](const HeldPod& pod) { cluster.Take(pod.node, pod.shape, pod.gpus); });
  return outcome;
}

GangCapacity GangPlacer::Capacity(const PodShape& shape, std::int32_t pods, std::uint32_t level) {
  PLIMSOLL_CHECK(pods > 0);
  const SlotCounts& counts = Counts({shape, pods, {}});
  GangCapacity capacity;
  capacity.by_count = counts.total_pods() / pods;
  for (const std::int64_t slots : counts.pods(level).first(order_->placed(level))) {
    capacity.in_domains += slots / pods;
    capacity.domains_enough += slots >= pods ? 1 : 0;
    capacity.largest = std::max(capacity.largest, slots);
  }
  return capacity;
}

std::vector<std::int64_t> GangPlacer::SlotsByDomain(const PodShape& shape, std::uint32_t level) {
  PLIMSOLL_CHECK(level < order_->levels());
  const std::span<const std::int64_t> pods = Counts({shape, 1, {}}).pods(level);
  std::vector<std::int64_t> slots(cluster_->tree().size(), 0);
  for (std::uint32_t i = 0; i < pods.size(); ++i) slots[order_->domain(level, i)] = pods[i];
  return slots;
}

GangOutcome PlaceGang(const Cluster& cluster, const GangRequest& request) {
  return GangPlacer(cluster).Place(request);
}

}  // namespace plimsoll
