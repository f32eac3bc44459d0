// DomainSlots: how many gangs start now, each within one domain of a level, against how many
// there seem to be by counting free GPUs alone; the difference is topology fragmentation.
//
// A node has as many slots for a shape as such pods would run on it now; a domain has its
// nodes' slots. Nodes outside every domain of the level count in the cluster's sum only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capacity/model/cluster.h"

namespace plimsoll {

struct GangAsk {
  PodShape shape;
  std::int32_t pods = 1;    // of one gang. REQUIRES: > 0
  std::uint32_t level = 0;  // of the cluster's tree
};

struct GangRoom {
  std::int64_t in_domain = 0;         // gangs that start now, each in one domain
  std::int64_t by_count = 0;          // as many as free slots would make
  std::int64_t eligible_domains = 0;  // with room for one
  std::int64_t largest_pods = 0;      // the largest gang of the shape that starts now
  std::optional<DomainId> largest;    // where; the first of several
  std::int64_t topology_fragmentation() const { return by_count - in_domain; }
};
GangRoom GangRoomOf(const Cluster& cluster, const GangAsk& ask);

// Slots of each domain of the tree, all levels, by DomainId.
std::vector<std::int64_t> SlotsByDomain(const Cluster& cluster, const PodShape& shape);

// The domain of ask.level with the least slots that still takes the gang, the first of equal ones;
// null where none does.
std::optional<DomainId> SmallestDomainFor(const Cluster& cluster, const GangAsk& ask);

// The largest gang of `shape` that starts now on nodes of one flavor within one domain.
struct LargestGang {
  std::uint32_t flavor = 0;
  std::uint32_t level = 0;
  std::int64_t pods = 0;
  std::int64_t pods_empty = 0;  // and if nothing ran there: the domain's size for the shape
};
std::vector<LargestGang> LargestGangs(const Cluster& cluster, const PodShape& shape);

// What must end or move for one gang to fit into one domain.
struct Drain {
  DomainId domain = kNoDomain;
  std::int64_t gpu_milli = 0;  // held by pods on the nodes that are emptied; 0: it fits now
  std::vector<NodeId> nodes;   // to empty, ascending
  friend bool operator==(const Drain&, const Drain&) = default;
};
// The domain and its nodes, emptied whole, that free enough for the gang at the least GPUs; exact
// (a knapsack over the nodes of each domain). Null where no domain is large enough even empty.
std::optional<Drain> CheapestDrain(const Cluster& cluster, const GangAsk& ask);

}  // namespace plimsoll
