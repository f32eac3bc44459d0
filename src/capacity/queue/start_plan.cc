#include "capacity/queue/start_plan.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "capacity/queue/slot_choice.h"

namespace plimsoll {

StartPlan::StartPlan(const Room& room, Instant now, Duration resolution)
    : room_(room), now_(now), resolution_(resolution), changes_(room.cluster().size()) {
  PLIMSOLL_CHECK(resolution > Duration());
  for (NodeId node = 0; node < room.cluster().size(); ++node) {
    const Cluster::Free& free = room.cluster().free(node);
    if (free.up) gpus_now_ += free.whole_gpus;
  }
}

void StartPlan::Add(NodeId node, Instant at, const PodShape& shape, std::int32_t pods) {
  const Change change{at, shape.gpus * pods, shape.cpu_milli * pods, shape.memory_mib * pods};
  auto& changes = changes_[node];
  const auto after = std::ranges::upper_bound(changes, at, {}, &Change::at);
  changes.insert(after, change);
  if (room_.cluster().free(node).up) gpus_[at] += change.gpus;
}

void StartPlan::AddRun(const PodShape& shape, const GangPlaces& places, Instant until) {
  const Instant end = std::max(until, now_ + Millis(1));
  for (const PodsOnNode& place : places) Add(place.node, end, shape, place.pods);
}

void StartPlan::AddStart(const PodShape& shape, const GangPlaces& places, Instant until) {
  AddRun(shape, places, until);
  gpus_now_ -= std::int64_t{PodsOf(places)} * shape.gpus;
}

void StartPlan::Reserve(const PodShape& shape, const GangPlaces& places, Window window) {
  for (const PodsOnNode& place : places) {
    Add(place.node, window.begin, shape, -place.pods);
    Add(place.node, window.until, shape, place.pods);
  }
}

// The fewest pods that the node takes at any time of the window.
std::int32_t StartPlan::SlotsDuring(NodeId node, const PodShape& shape, Window window) const {
  const Cluster::Free& free = room_.cluster().free(node);
  std::int64_t gpus = free.whole_gpus, cpu = free.cpu_milli, memory = free.memory_mib;
  std::int64_t slots = std::numeric_limits<std::int32_t>::max();
  const auto count = [&] {
    if (shape.gpus > 0) slots = std::min(slots, gpus / shape.gpus);
    if (shape.cpu_milli > 0) slots = std::min(slots, cpu / shape.cpu_milli);
    if (shape.memory_mib > 0) slots = std::min(slots, memory / shape.memory_mib);
  };
  const auto& changes = changes_[node];
  auto change = changes.begin();
  const auto apply_until = [&](Instant at) {
    for (; change != changes.end() && change->at <= at; ++change) {
      gpus += change->gpus;
      cpu += change->cpu_milli;
      memory += change->memory_mib;
    }
  };
  apply_until(window.begin);
  count();
  while (change != changes.end() && change->at < window.until && slots > 0) {
    apply_until(change->at);
    count();
  }
  return static_cast<std::int32_t>(std::max<std::int64_t>(slots, 0));
}

bool StartPlan::TryAt(Instant at, const GangNeed& need, Duration length, std::vector<NodeId>& order,
                      GangPlaces& places) const {
  if (order.empty()) order = room_.TightestFirst(need.shape.flavors);
  std::vector<std::int32_t> slots(room_.cluster().size(), 0);
  const Window window{at, at + std::max(length, Millis(1))};
  std::int64_t sum = 0;
  // Without a topology request the first nodes that suffice are the ones.
  const bool takes_first =
      need.topology.mode == TopologyMode::kNone && need.topology.slice_pods == 0;
  for (const NodeId node : order) {
    sum += slots[node] = SlotsDuring(node, need.shape, window);
    if (takes_first && sum >= need.pods) break;
  }
  if (sum < need.pods) return false;
  return ChooseBySlots(room_.cluster(), need, slots, order, places);
}

std::optional<StartPlan::Start> StartPlan::Earliest(const GangNeed& need, Duration length,
                                                    Window starts) const {
  GangNeed whole = need;
  whole.pods_min = need.pods;
  const std::int64_t gpus = std::int64_t{need.pods} * need.shape.gpus;
  std::vector<NodeId> order;
  Start start;
  std::int64_t free = gpus_now_;
  auto change = gpus_.begin();
  for (Instant at = starts.begin; at < starts.until;) {
    for (; change != gpus_.end() && change->first <= at; ++change) free += change->second;
    if (free >= gpus && TryAt(at, whole, length, order, start.places)) {
      start.at = at;
      return start;
    }
    if (change == gpus_.end()) return std::nullopt;
    const std::int64_t steps = (Between(now_, change->first).base() + resolution_.base() - 1);
    at = now_ + Millis(steps / resolution_.base() * resolution_.base());
  }
  return std::nullopt;
}

}  // namespace plimsoll
