#include "capacity/queue/room.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "base/check.h"

namespace plimsoll {
namespace {

bool CountsByGpuOnly(const PodShape& shape) {
  return shape.gpus > 0 && !SharesGpu(shape) && shape.cpu_milli == 0 && shape.memory_mib == 0;
}

// Calls use(GPUs of one pod) for each pod of a place.
template <class Use>
void ForEachPod(const PodShape& shape, const PodsOnNode& place, const Use& use) {
  if (place.pods == 1) return use(place.gpus);
  GpuSet left = place.gpus;
  for (std::int32_t pod = 0; pod < place.pods; ++pod) {
    GpuSet own = 0;
    for (std::int32_t gpu = 0; gpu < shape.gpus; ++gpu) {
      const GpuSet lowest = left & (~left + 1);
      own |= lowest;
      left ^= lowest;
    }
    use(own);
  }
}

// What a gang that takes fewer pods than it wishes gets of `slots`.
std::int32_t PodsFor(const GangNeed& need, std::int64_t slots) {
  if (slots < need.pods_min) return 0;
  return static_cast<std::int32_t>(std::min<std::int64_t>(slots, need.pods));
}

}  // namespace

bool Room::LiesIn(NodeId node, DomainId domain) const {
  const auto& domains = cluster_.node(node).domains;
  return !domains.empty() && domains[cluster_.tree().at(domain).level] == domain;
}

template <class Visit>
bool Room::VisitWhole(const PodShape& shape, const Visit& visit) const {
  // An instance of a cut GPU may lie on a node without a whole one.
  const bool is_cut = shape.mig_profile != kNoMigProfile;
  const std::int32_t least = is_cut ? 0 : SharesGpu(shape) ? 1 : shape.gpus;
  std::vector<std::uint32_t> flavors;
  for (std::uint32_t flavor = 0; flavor < index_.flavors(); ++flavor) {
    if (Accepts(shape.flavors, flavor)) flavors.push_back(flavor);
  }
  for (std::int32_t whole = least; whole <= index_.gpus_max(); ++whole) {
    for (std::size_t from = 0;; ++from) {
      std::size_t next = NodeSet::kEnd;
      for (const std::uint32_t flavor : flavors) {
        next = std::min(next, index_.nodes(flavor, whole).Next(from));
      }
      if (next == NodeSet::kEnd) break;
      from = next;
      if (visit(static_cast<NodeId>(next))) return true;
    }
  }
  return false;
}

// Nodes that have a GPU in use with enough left of it, the one with the least left first.
template <class Visit>
bool Room::VisitShared(const PodShape& shape, const Visit& visit) const {
  std::vector<std::pair<std::int32_t, NodeId>> nodes;
  for (std::size_t next = index_.shared().Next(0); next != NodeSet::kEnd;
       next = index_.shared().Next(next + 1)) {
    const auto node = static_cast<NodeId>(next);
    if (!Accepts(shape.flavors, cluster_.node(node).flavor)) continue;
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
void Room::VisitWithoutGpus(const PodShape& shape, const Visit& visit) const {
  std::vector<NodeId> nodes;
  VisitWhole(shape, [&](NodeId node) {
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
void Room::VisitTightestFirst(const PodShape& shape, const Visit& visit) const {
  if (shape.gpus == 0) return VisitWithoutGpus(shape, visit);
  if (SharesGpu(shape) && shape.mig_profile == kNoMigProfile && VisitShared(shape, visit)) return;
  VisitWhole(shape, visit);
}

bool Room::Fill(const GangNeed& need, GangPlaces& places) const {
  std::int32_t left = need.pods;
  VisitTightestFirst(need.shape, [&](NodeId node) {
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
  VisitTightestFirst(need.shape, [&](NodeId node) {
    const std::int32_t pods = PodsFor(need, cluster_.Slots(node, need.shape));
    if (pods > best.pods) best = {node, pods, 0};
    return best.pods == need.pods;
  });
  if (best.pods > 0) places.push_back(best);
  return best.pods > 0;
}

void Room::Changed(NodeId node) {
  index_.Refresh(cluster_, node);
  if (placer_.own) placer_.own->NodeChanged(node);
}

GangPlacer& Room::placer() const {
  if (!placer_.own) placer_.own = std::make_unique<GangPlacer>(cluster_);
  return *placer_.own;
}

// So many pods of the gang by its topology request.
bool Room::PlaceByTopology(const GangNeed& need, std::int32_t pods, GangPlaces& places) const {
  if (pods < need.pods_min) return false;
  const GangOutcome outcome = placer().Place({need.shape, pods, need.topology});
  for (const NodePods& node : outcome.nodes) places.push_back({node.node, node.pods, 0});
  return outcome.placed();
}

bool Room::PlaceRequired(const GangNeed& need, GangPlaces& places) const {
  const std::uint32_t level = need.topology.level;
  if (level == cluster_.tree().levels().size()) return PlaceOnOneNode(need, places);
  const DomainId domain = TightestDomain(need, level);
  if (domain == kNoDomain) return false;
  return PlaceByTopology(need, PodsFor(need, SlotsIn(domain, need.shape)), places);
}

// The most whole slices that find a place.
std::int32_t Room::PodsInSlices(const GangNeed& need) const {
  const std::int32_t slice = need.topology.slice_pods;
  const auto fits = [&](std::int32_t slices) {
    return placer().Fits({need.shape, slices * slice, need.topology});
  };
  std::int32_t most = need.pods / slice, least = (need.pods_min + slice - 1) / slice;
  if (fits(most)) return most * slice;
  if (least == most || !fits(least)) return 0;
  while (most - least > 1) {  // fits, does not fit
    const std::int32_t middle = least + (most - least) / 2;
    (fits(middle) ? least : most) = middle;
  }
  return least * slice;
}

bool Room::Place(const GangNeed& need, GangPlaces& places) const {
  places.clear();
  if (need.shape.gpus > 0 && !SharesGpu(need.shape) &&
      index_.SlotsByGpu(need.shape.flavors, need.shape.gpus) < need.pods_min) {
    return false;
  }
  if (need.topology.slice_pods > 0) return PlaceByTopology(need, PodsInSlices(need), places);
  if (need.topology.mode == TopologyMode::kRequired) return PlaceRequired(need, places);
  if (need.topology.mode == TopologyMode::kPreferred && PlaceByTopology(need, need.pods, places)) {
    return true;
  }
  return Fill(need, places);
}

bool Room::Place(const GangNeed& need, NodeChooser& chooser, GangPlaces& places) {
  places.clear();
  while (PodsOf(places) < need.pods) {
    const auto place = chooser.Choose(cluster_, need.shape);
    if (!place) break;
    places.push_back({place->node, 1, place->gpus});
    cluster_.Take(place->node, need.shape, place->gpus);
    Changed(place->node);
  }
  const bool fits = PodsOf(places) >= need.pods_min;
  Give(need.shape, places);
  if (!fits) places.clear();
  return fits;
}

bool Room::Fits(const GangNeed& need) const {
  if (need.topology.slice_pods > 0) return PodsInSlices(need) > 0;
  if (need.topology.mode == TopologyMode::kRequired &&
      need.topology.level < cluster_.tree().levels().size()) {
    return TightestDomain(need, need.topology.level) != kNoDomain;
  }
  if (need.topology.mode != TopologyMode::kRequired && CountsByGpuOnly(need.shape)) {
    return index_.SlotsByGpu(need.shape.flavors, need.shape.gpus) >= need.pods_min;
  }
  GangNeed anywhere = need;
  if (need.topology.mode == TopologyMode::kPreferred) anywhere.topology = TopologyRequest();
  GangPlaces places;
  return Place(anywhere, places);
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
    if (place.gpus != 0 || shape.gpus == 0) {
      TakeOn(shape, place);
      continue;
    }
    for (std::int32_t pod = 0; pod < place.pods; ++pod) {
      const GpuSet gpus = cluster_.ChooseGpus(place.node, shape);
      cluster_.Take(place.node, shape, gpus);
      place.gpus |= gpus;
    }
    Changed(place.node);
  }
}

void Room::TakeOn(const PodShape& shape, const PodsOnNode& place) {
  ForEachPod(shape, place, [&](GpuSet gpus) { cluster_.Take(place.node, shape, gpus); });
  Changed(place.node);
}

void Room::TakeAgain(const PodShape& shape, const GangPlaces& places) {
  for (const PodsOnNode& place : places) {
    if (cluster_.free(place.node).up) {
      TakeOn(shape, place);
      continue;
    }
    // On a node that is drained what was there may go on.
    cluster_.SetUp(place.node, true);
    TakeOn(shape, place);
    SetUp(place.node, false);
  }
}

void Room::Give(const PodShape& shape, const GangPlaces& places) {
  for (const PodsOnNode& place : places) {
    ForEachPod(shape, place, [&](GpuSet gpus) { cluster_.Give(place.node, shape, gpus); });
    Changed(place.node);
  }
}

std::vector<NodeId> Room::TightestFirst(FlavorSet flavors) const {
  PodShape any;
  any.flavors = flavors;
  std::vector<NodeId> nodes;
  VisitWhole(any, [&](NodeId node) {
    nodes.push_back(node);
    return false;
  });
  return nodes;
}

void Room::SetUp(NodeId node, bool up) {
  cluster_.SetUp(node, up);
  Changed(node);
}

}  // namespace plimsoll
