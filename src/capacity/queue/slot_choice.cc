#include "capacity/queue/slot_choice.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace plimsoll {
namespace {

class Choice {
 public:
  Choice(const Cluster& cluster, const GangNeed& need, std::span<const std::int32_t> slots,
         std::span<const NodeId> order)
      : cluster_(cluster), need_(need), slots_(slots), order_(order) {}

  bool Choose(GangPlaces& places) const {
    places.clear();
    if (need_.topology.mode == TopologyMode::kRequired) {
      return InDomain(need_.topology.level, need_.pods_min, places);
    }
    if (need_.topology.mode == TopologyMode::kPreferred) {
      for (std::uint32_t level = need_.topology.level + 1; level-- > 0;) {
        if (InDomain(level, need_.pods, places)) return true;
      }
    }
    return Fill(order_, need_.pods_min, places);
  }

 private:
  // The domain of a level that a node is in; the level below all is the node itself.
  std::optional<std::uint32_t> DomainOf(NodeId node, std::uint32_t level) const {
    if (level == cluster_.tree().levels().size()) return node;
    const auto& domains = cluster_.node(node).domains;
    if (domains.empty() || domains[level] == kNoDomain) return std::nullopt;
    return domains[level];
  }

  struct Group {
    std::uint32_t domain = 0;
    std::vector<NodeId> nodes;  // in the order
    std::int64_t pods = 0;      // whole slices only
    std::int64_t slots = 0;     // without that
  };

  std::vector<Group> Groups(std::span<const NodeId> order, std::uint32_t level) const {
    const std::size_t count =
        level == cluster_.tree().levels().size() ? cluster_.size() : cluster_.tree().size();
    std::vector<std::int32_t> of_domain(count, -1);
    std::vector<Group> groups;
    for (const NodeId node : order) {
      const auto domain = DomainOf(node, level);
      if (!domain) continue;
      if (of_domain[*domain] < 0) {
        of_domain[*domain] = static_cast<std::int32_t>(groups.size());
        groups.push_back({*domain, {}, 0, 0});
      }
      groups[static_cast<std::size_t>(of_domain[*domain])].nodes.push_back(node);
    }
    std::ranges::sort(groups, {}, &Group::domain);
    return groups;
  }

  std::int64_t SlotsOf(const std::vector<NodeId>& nodes) const {
    std::int64_t sum = 0;
    for (const NodeId node : nodes) sum += slots_[node];
    return sum;
  }

  // Pods that nodes take, in whole slices if the gang has slices.
  std::int64_t PodsOn(const std::vector<NodeId>& nodes) const {
    const std::int32_t slice = need_.topology.slice_pods;
    if (slice == 0) return SlotsOf(nodes);
    std::int64_t pods = 0;
    for (const Group& group : Groups(nodes, need_.topology.slice_level)) {
      pods += SlotsOf(group.nodes) / slice * slice;
    }
    return pods;
  }

  bool InDomain(std::uint32_t level, std::int32_t least, GangPlaces& places) const {
    std::vector<Group> groups = Groups(order_, level);
    const Group* best = nullptr;
    for (Group& group : groups) {
      group.pods = PodsOn(group.nodes);
      if (group.pods < least) continue;
      if (best == nullptr || Suits(group.pods, best->pods, need_.pods)) best = &group;
    }
    return best != nullptr && Fill(best->nodes, least, places);
  }

  bool Fill(std::span<const NodeId> nodes, std::int32_t least, GangPlaces& places) const {
    std::int32_t left = need_.pods;
    if (need_.topology.slice_pods > 0) {
      FillSlices(nodes, left, places);
    } else {
      left -= Put(nodes, left, places);
    }
    if (need_.pods - left >= least) return true;
    places.clear();
    return false;
  }

  std::int32_t Put(std::span<const NodeId> nodes, std::int32_t pods, GangPlaces& places) const {
    std::int32_t left = pods;
    for (const NodeId node : nodes) {
      const std::int32_t here = std::min(slots_[node], left);
      if (here > 0) places.push_back({node, here, 0});
      left -= here;
      if (left == 0) break;
    }
    return pods - left;
  }

  void FillSlices(std::span<const NodeId> nodes, std::int32_t& left, GangPlaces& places) const {
    const std::int32_t slice = need_.topology.slice_pods;
    std::vector<Group> groups = Groups(nodes, need_.topology.slice_level);
    for (Group& group : groups) {
      group.slots = SlotsOf(group.nodes);
      group.pods = group.slots / slice * slice;
    }
    while (left >= slice) {
      Group* best = nullptr;
      for (Group& group : groups) {
        if (group.pods == 0) continue;
        // Of those that suit alike, the one that wastes less.
        const bool wastes_less =
            best != nullptr && group.pods == best->pods && group.slots < best->slots;
        if (best == nullptr || wastes_less || Suits(group.pods, best->pods, left)) best = &group;
      }
      if (best == nullptr) return;
      const auto pods =
          static_cast<std::int32_t>(std::min<std::int64_t>(best->pods, left / slice * slice));
      left -= Put(best->nodes, pods, places);
      best->pods = 0;
    }
  }

  const Cluster& cluster_;
  const GangNeed& need_;
  std::span<const std::int32_t> slots_;
  std::span<const NodeId> order_;
};

}  // namespace

bool ChooseBySlots(const Cluster& cluster, const GangNeed& need,
                   std::span<const std::int32_t> slots, std::span<const NodeId> order,
                   GangPlaces& places) {
  return Choice(cluster, need, slots, order).Choose(places);
}

}  // namespace plimsoll
