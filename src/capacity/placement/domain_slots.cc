// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/domain_slots.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/check.h"

namespace plimsoll {
namespace {

// Slots of a node on which nothing runs.
std::int64_t EmptySlots(const Cluster& cluster, NodeId id, const PodShape& shape) {
  const NodeSpec& node = cluster.node(id);
  if (!cluster.free(id).up || !Accepts(shape.flavors, node.flavor)) return 0;
  std::int64_t slots = std::numeric_limits<std::int32_t>::max();
  if (shape.cpu_milli > 0) slots = std::min(slots, node.cpu_milli / shape.cpu_milli);
  if (shape.memory_mib > 0) slots = std::min(slots, node.memory_mib / shape.memory_mib);
  if (shape.mig_profile != kNoMigProfile) {
    const MigCard* const card =
        cluster.mig().flavors.empty() ? nullptr : &cluster.mig().flavors[node.flavor];
    const MigCut* const cut = card == nullptr ? nullptr : card->Find(shape.mig_profile);
    const std::int64_t cards = std::min(node.gpus, kMigSlicesMax);
    slots = std::min(slots, cut == nullptr ? 0 : cards * MigRoom(*card, {}, *cut));
  } else if (shape.gpus > 0) {
    slots =
        std::min<std::int64_t>(slots, node.gpus * (kMilliPerGpu / shape.gpu_milli) / shape.gpus);
  }
  return slots;
}

DomainId DomainOf(const NodeSpec& node, std::uint32_t level) {
  return node.domains.empty() ? kNoDomain : node.domains[level];
}

// A node that would be emptied: what it adds and what it costs.
struct Emptied {
  NodeId node = 0;
  std::int64_t slots = 0;      // more than now
  std::int64_t gpu_milli = 0;  // held there
};

// The nodes of least cost that add at least `wanted` slots.
std::optional<Drain> LeastCost(std::vector<Emptied> choices, std::int64_t wanted) {
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  const auto size = static_cast<std::size_t>(wanted);
  std::int64_t all = 0;
  for (const Emptied& choice : choices) all += choice.slots;
  if (all < wanted) return std::nullopt;
  // least[n]: the least cost of n more slots from the choices so far. takes: whether the choice is
  // of that, for each choice and n.
  std::vector<std::int64_t> least(size + 1, kNever);
  least[0] = 0;
  std::vector<bool> takes(choices.size() * (size + 1));
  const auto before = [](std::size_t slots, std::int64_t adds) {
    const auto more = static_cast<std::size_t>(adds);
    return slots > more ? slots - more : 0;
  };
  for (std::size_t i = 0; i < choices.size(); ++i) {
    for (std::size_t slots = size; slots > 0; --slots) {  // downwards: `rest` is without the choice
      const std::int64_t rest = least[before(slots, choices[i].slots)];
      if (rest == kNever || rest + choices[i].gpu_milli >= least[slots]) continue;
      least[slots] = rest + choices[i].gpu_milli;
      takes[i * (size + 1) + slots] = true;
    }
  }
  Drain drain;
  drain.gpu_milli = least[size];
  std::size_t slots = size;
  for (std::size_t i = choices.size(); i-- > 0;) {
    if (!takes[i * (size + 1) + slots]) continue;
    drain.nodes.push_back(choices[i].node);
    slots = before(slots, choices[i].slots);
  }
  std::ranges::sort(drain.nodes);
  return drain;
}

}  // namespace

std::vector<std::int64_t> SlotsByDomain(const Cluster& cluster, const PodShape& shape) {
  std::vector<std::int64_t> slots(cluster.tree().size(), 0);
  for (NodeId id = 0; id < cluster.size(); ++id) {
    const std::int64_t of_node = cluster.Slots(id, shape);
    for (const DomainId domain : cluster.node(id).domains) {
      if (domain != kNoDomain) slots[domain] += of_node;
    }
  }
  return slots;
}

GangRoom GangRoomOf(const Cluster& cluster, const GangAsk& ask) {
  PLIMSOLL_CHECK(ask.pods > 0 && ask.level < cluster.tree().levels().size());
  GangRoom room;
  std::int64_t all = 0;
  for (NodeId id = 0; id < cluster.size(); ++id) all += cluster.Slots(id, ask.shape);
  room.by_count = all / ask.pods;
  const std::vector<std::int64_t> slots = SlotsByDomain(cluster, ask.shape);
  for (DomainId domain = 0; domain < slots.size(); ++domain) {
    if (cluster.tree().at(domain).level != ask.level) continue;
    room.in_domain += slots[domain] / ask.pods;
    if (slots[domain] >= ask.pods) ++room.eligible_domains;
    if (slots[domain] <= room.largest_pods) continue;
    room.largest_pods = slots[domain];
    room.largest = domain;
  }
  return room;
}

std::optional<DomainId> SmallestDomainFor(const Cluster& cluster, const GangAsk& ask) {
  const std::vector<std::int64_t> slots = SlotsByDomain(cluster, ask.shape);
  std::optional<DomainId> best;
  for (DomainId domain = 0; domain < slots.size(); ++domain) {
    if (cluster.tree().at(domain).level != ask.level || slots[domain] < ask.pods) continue;
    if (!best || slots[domain] < slots[*best]) best = domain;
  }
  return best;
}

std::vector<LargestGang> LargestGangs(const Cluster& cluster, const PodShape& shape) {
  const auto levels = static_cast<std::uint32_t>(cluster.tree().levels().size());
  std::map<std::pair<std::uint32_t, DomainId>, std::pair<std::int64_t, std::int64_t>> slots;
  for (NodeId id = 0; id < cluster.size(); ++id) {
    const NodeSpec& node = cluster.node(id);
    if (node.gpus == 0) continue;
    for (const DomainId domain : node.domains) {
      if (domain == kNoDomain) continue;
      auto& [now, empty] = slots[{node.flavor, domain}];
      now += cluster.Slots(id, shape);
      empty += EmptySlots(cluster, id, shape);
    }
  }
  std::vector<LargestGang> largest;
  for (std::uint32_t flavor = 0; flavor < cluster.flavors().size(); ++flavor) {
    for (std::uint32_t level = 0; level < levels; ++level) {
      LargestGang gang{flavor, level, 0, 0};
      for (const auto& [key, of_domain] : slots) {
        if (key.first != flavor || cluster.tree().at(key.second).level != level) continue;
        gang.pods = std::max(gang.pods, of_domain.first);
        gang.pods_empty = std::max(gang.pods_empty, of_domain.second);
      }
      if (gang.pods_empty > 0) largest.push_back(gang);
    }
  }
  return largest;
}

std::optional<Drain> CheapestDrain(const Cluster& cluster, const GangAsk& ask) {
  PLIMSOLL_CHECK(ask.pods > 0 && ask.level < cluster.tree().levels().size());
  std::map<DomainId, std::vector<Emptied>> choices;
  for (NodeId id = 0; id < cluster.size(); ++id) {
    const DomainId domain = DomainOf(cluster.node(id), ask.level);
    if (domain == kNoDomain) continue;
    const std::int64_t held =
        std::int64_t{cluster.node(id).gpus} * kMilliPerGpu - cluster.free(id).gpu_milli;
    const std::int64_t more = EmptySlots(cluster, id, ask.shape) - cluster.Slots(id, ask.shape);
    auto& of_domain = choices[domain];
    if (more > 0) of_domain.push_back({id, more, held});
  }
  const std::vector<std::int64_t> slots = SlotsByDomain(cluster, ask.shape);
  std::optional<Drain> best;
  for (auto& [domain, nodes] : choices) {
    const std::int64_t wanted = std::max<std::int64_t>(ask.pods - slots[domain], 0);
    std::optional<Drain> drain = LeastCost(std::move(nodes), wanted);
    if (!drain || (best && best->gpu_milli <= drain->gpu_milli)) continue;
    drain->domain = domain;
    best = std::move(drain);
  }
  return best;
}

}  // namespace plimsoll
