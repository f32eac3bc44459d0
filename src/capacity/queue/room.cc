#include "capacity/queue/room.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "base/check.h"
#include "capacity/queue/slot_choice.h"

namespace plimsoll {
namespace {

bool CountsByGpuOnly(const PodShape& shape) {
  return shape.gpus > 0 && !SharesGpu(shape) && shape.cpu_milli == 0 && shape.memory_mib == 0;
}

// What a gang that takes fewer pods than it wishes gets of `slots`.
std::int32_t PodsFor(const GangNeed& need, std::int64_t slots) {
  if (slots < need.pods_min) return 0;
  return static_cast<std::int32_t>(std::min<std::int64_t>(slots, need.pods));
}

}  // namespace

bool Room::LiesIn(NodeId node, DomainId domain) const {
  if (domain == kNoDomain) return true;
  const auto& domains = cluster_.node(node).domains;
  return !domains.empty() && domains[cluster_.tree().at(domain).level] == domain;
}

template <class Visit>
bool Room::VisitWhole(const PodShape& shape, DomainId within, const Visit& visit) const {
  const auto range = within == kNoDomain ? FreeIndex::Range{0, static_cast<NodeId>(cluster_.size())}
                                         : index_.range(within);
  const std::int32_t least = std::max(SharesGpu(shape) ? 1 : shape.gpus, 0);
  std::vector<std::uint32_t> flavors;
  for (std::uint32_t flavor = 0; flavor < index_.flavors(); ++flavor) {
    if (Accepts(shape.flavors, flavor)) flavors.push_back(flavor);
  }
  for (std::int32_t whole = least; whole <= index_.gpus_max(); ++whole) {
    for (std::size_t from = range.first;; ++from) {
      std::size_t next = NodeSet::kEnd;
      for (const std::uint32_t flavor : flavors) {
        next = std::min(next, index_.nodes(flavor, whole).Next(from));
      }
      if (next == NodeSet::kEnd || next > range.last) break;
      from = next;
      const auto node = static_cast<NodeId>(next);
      if (LiesIn(node, within) && visit(node)) return true;
    }
  }
  return false;
}

// Nodes that have a GPU in use with enough left of it, the one with the least left first.
template <class Visit>
bool Room::VisitShared(const PodShape& shape, DomainId within, const Visit& visit) const {
  std::vector<std::pair<std::int32_t, NodeId>> nodes;
  for (std::size_t next = index_.shared().Next(0); next != NodeSet::kEnd;
       next = index_.shared().Next(next + 1)) {
    const auto node = static_cast<NodeId>(next);
    if (!Accepts(shape.flavors, cluster_.node(node).flavor) || !LiesIn(node, within)) continue;
    std::int32_t tightest = kMilliPerGpu;
    for (const std::int32_t milli : cluster_.gpu_milli(node)) {
      if (milli >= shape.gpu_milli) tightest = std::min(tightest, milli);
    }
    if (tightest < kMilliPerGpu) nodes.emplace_back(tightest, node);
  }
  std::ranges::sort(nodes);
  return std::ranges::any_of(nodes, [&](const auto& entry) { return visit(entry.second); });
}

template <class Visit>
void Room::VisitWithoutGpus(const PodShape& shape, DomainId within, const Visit& visit) const {
  std::vector<NodeId> nodes;
  VisitWhole(shape, within, [&](NodeId node) {
    if (cluster_.Fits(node, shape)) nodes.push_back(node);
    return false;
  });
  std::ranges::stable_sort(nodes, [&](NodeId a, NodeId b) {
    const auto &x = cluster_.free(a), &y = cluster_.free(b);
    return std::pair(x.whole_gpus, x.cpu_milli) < std::pair(y.whole_gpus, y.cpu_milli);
  });
  for (const NodeId node : nodes) {
    if (visit(node)) return;
  }
}

template <class Visit>
void Room::VisitTightestFirst(const PodShape& shape, DomainId within, const Visit& visit) const {
  if (shape.gpus == 0) return VisitWithoutGpus(shape, within, visit);
  if (SharesGpu(shape) && VisitShared(shape, within, visit)) return;
  VisitWhole(shape, within, visit);
}

bool Room::Fill(const GangNeed& need, DomainId within, GangPlaces& places) const {
  std::int32_t left = need.pods;
  VisitTightestFirst(need.shape, within, [&](NodeId node) {
    const auto seen = [&](const PodsOnNode& place) { return place.node == node; };
    if (SharesGpu(need.shape) && std::ranges::any_of(places, seen)) return false;
    const std::int32_t pods = std::min(cluster_.Slots(node, need.shape), left);
    if (pods > 0) places.push_back({node, pods, 0});
    left -= pods;
    return left == 0;
  });
  if (need.pods - left >= need.pods_min) return true;
  places.clear();
  return false;
}

std::int64_t Room::SlotsIn(DomainId domain, const PodShape& shape) const {
  if (shape.gpus > 0 && !SharesGpu(shape)) {
    const std::int64_t by_gpu = index_.SlotsByGpu(domain, shape.flavors, shape.gpus);
    if (by_gpu == 0 || CountsByGpuOnly(shape)) return by_gpu;
  }
  std::int64_t slots = 0;
  const FreeIndex::Range range = index_.range(domain);
  for (NodeId node = range.first; node <= range.last; ++node) {
    if (LiesIn(node, domain)) slots += cluster_.Slots(node, shape);
  }
  return slots;
}

DomainId Room::TightestDomain(const GangNeed& need, std::uint32_t level) const {
  DomainId best = kNoDomain;
  std::int64_t best_slots = 0;
  for (const DomainId domain : index_.domains(level)) {
    const std::int64_t slots = SlotsIn(domain, need.shape);
    if (slots < need.pods_min) continue;
    if (best != kNoDomain && !Suits(slots, best_slots, need.pods)) continue;
    best = domain;
    best_slots = slots;
    if (slots == need.pods) break;
  }
  return best;
}

bool Room::PlaceOnOneNode(const GangNeed& need, GangPlaces& places) const {
  PodsOnNode best;
  VisitTightestFirst(need.shape, kNoDomain, [&](NodeId node) {
    const std::int32_t pods = PodsFor(need, cluster_.Slots(node, need.shape));
    if (pods > best.pods) best = {node, pods, 0};
    return best.pods == need.pods;
  });
  if (best.pods > 0) places.push_back(best);
  return best.pods > 0;
}

bool Room::PlaceInDomain(const GangNeed& need, std::uint32_t level, GangPlaces& places) const {
  if (level == cluster_.tree().levels().size()) return PlaceOnOneNode(need, places);
  const DomainId domain = TightestDomain(need, level);
  return domain != kNoDomain && Fill(need, domain, places);
}

bool Room::PlaceSlices(const GangNeed& need, GangPlaces& places) const {
  std::vector<std::int32_t> slots(cluster_.size(), 0);
  std::vector<NodeId> order;
  VisitTightestFirst(need.shape, kNoDomain, [&](NodeId node) {
    if (slots[node] > 0) return false;
    slots[node] = cluster_.Slots(node, need.shape);
    if (slots[node] > 0) order.push_back(node);
    return false;
  });
  return ChooseBySlots(cluster_, need, slots, order, places);
}

bool Room::Place(const GangNeed& need, GangPlaces& places) const {
  places.clear();
  if (need.shape.gpus > 0 && !SharesGpu(need.shape) &&
      index_.SlotsByGpu(need.shape.flavors, need.shape.gpus) < need.pods_min) {
    return false;
  }
  if (need.topology.slice_pods > 0) return PlaceSlices(need, places);
  if (need.topology.mode == TopologyMode::kRequired) {
    return PlaceInDomain(need, need.topology.level, places);
  }
  if (need.topology.mode == TopologyMode::kPreferred) {
    GangNeed whole = need;
    whole.pods_min = need.pods;
    for (std::uint32_t level = need.topology.level + 1; level-- > 0;) {
      if (PlaceInDomain(whole, level, places)) return true;
    }
  }
  return Fill(need, kNoDomain, places);
}

bool Room::Place(const GangNeed& need, NodeChooser& chooser, GangPlaces& places) {
  places.clear();
  while (PodsOf(places) < need.pods) {
    const auto place = chooser.Choose(cluster_, need.shape);
    if (!place) break;
    places.push_back({place->node, 1, place->gpus});
    cluster_.Take(place->node, need.shape, place->gpus);
    index_.Refresh(cluster_, place->node);
  }
  const bool fits = PodsOf(places) >= need.pods_min;
  Give(need.shape, places);
  if (!fits) places.clear();
  return fits;
}

bool Room::Fits(const GangNeed& need) const {
  if (need.topology.mode == TopologyMode::kNone && need.topology.slice_pods == 0 &&
      CountsByGpuOnly(need.shape)) {
    return index_.SlotsByGpu(need.shape.flavors, need.shape.gpus) >= need.pods_min;
  }
  GangPlaces places;
  return Place(need, places);
}

std::int64_t Room::SlotsInAll(const PodShape& shape) const {
  if (CountsByGpuOnly(shape)) return index_.SlotsByGpu(shape.flavors, shape.gpus);
  std::int64_t slots = 0;
  for (NodeId node = 0; node < cluster_.size(); ++node) slots += cluster_.Slots(node, shape);
  return slots;
}

WaitCause Room::WhyNot(const GangNeed& need) const {
  if (SlotsInAll(need.shape) >= need.pods_min) return WaitCause::kDomain;
  if (need.shape.gpus == 0) return WaitCause::kCpuMemory;
  PodShape by_gpu = need.shape;
  by_gpu.cpu_milli = by_gpu.memory_mib = 0;
  if ((need.shape.cpu_milli > 0 || need.shape.memory_mib > 0) &&
      SlotsInAll(by_gpu) >= need.pods_min) {
    return WaitCause::kCpuMemory;
  }
  const std::int64_t milli = need.pods_min * GpuMilli(need.shape);
  const std::int64_t free = index_.FreeUp(need.shape.flavors);
  if (free >= milli) return WaitCause::kFragmented;
  if (free + index_.FreeDown(need.shape.flavors) >= milli) return WaitCause::kNodeDown;
  if (index_.FreeUp(kAnyFlavor) >= milli) return WaitCause::kFlavor;
  return WaitCause::kBusy;
}

void Room::Take(const PodShape& shape, GangPlaces& places) {
  if (SharesGpu(shape)) {  // each pod has its own GPU
    GangPlaces one_each;
    for (const PodsOnNode& place : places) {
      for (std::int32_t i = 0; i < place.pods; ++i) one_each.push_back({place.node, 1, place.gpus});
    }
    places = std::move(one_each);
  }
  for (PodsOnNode& place : places) {
    const PodShape together = Together(shape, place.pods);
    if (place.gpus == 0) place.gpus = cluster_.ChooseGpus(place.node, together);
    cluster_.Take(place.node, together, place.gpus);
    index_.Refresh(cluster_, place.node);
  }
}

void Room::TakeAgain(const PodShape& shape, const GangPlaces& places) {
  for (const PodsOnNode& place : places) {
    // On a node that is drained what was there may go on.
    const bool is_up = cluster_.free(place.node).up;
    cluster_.SetUp(place.node, true);
    cluster_.Take(place.node, Together(shape, place.pods), place.gpus);
    cluster_.SetUp(place.node, is_up);
    index_.Refresh(cluster_, place.node);
  }
}

void Room::Give(const PodShape& shape, const GangPlaces& places) {
  for (const PodsOnNode& place : places) {
    cluster_.Give(place.node, Together(shape, place.pods), place.gpus);
    index_.Refresh(cluster_, place.node);
  }
}

std::vector<NodeId> Room::TightestFirst(FlavorSet flavors) const {
  PodShape any;
  any.flavors = flavors;
  std::vector<NodeId> nodes;
  VisitWhole(any, kNoDomain, [&](NodeId node) {
    nodes.push_back(node);
    return false;
  });
  return nodes;
}

void Room::SetUp(NodeId node, bool up) {
  cluster_.SetUp(node, up);
  index_.Refresh(cluster_, node);
}

}  // namespace plimsoll
