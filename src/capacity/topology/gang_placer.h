// GangPlacer: which nodes of a cluster a gang gets, by topology, fast enough for a simulator.
//
// Decides as Kueue's topology-aware scheduling does: required and preferred take the domain with
// the smallest sufficient number of slots (best fit), level by level downwards; without a wish
// the fullest nodes are filled first (least free capacity). Slots are kept per (shape, slice) and
// domain and brought up to date from the nodes that changed, so a placement costs the domains
// that it looks at. Nodes without a label of some level lie in no domain: only gangs that ask for
// none get them. Not for two threads at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "capacity/topology/gang.h"

namespace plimsoll {

class DomainOrder;
class SlotCounts;

class GangPlacer {
 public:
  // The cluster outlives the placer. Call NodeChanged after each Take, Give and SetUp on it.
  explicit GangPlacer(const Cluster& cluster);
  ~GangPlacer();
  GangPlacer(GangPlacer&&) noexcept;
  GangPlacer& operator=(GangPlacer&&) noexcept;

  // A placer for a copy of the cluster, with the counts of this one: for a branch of a simulation.
  // REQUIRES: `copy` is as the placer's cluster is now
  GangPlacer For(const Cluster& copy) const;

  void NodeChanged(NodeId node);

  // Where the gang would lie now; nothing is taken. REQUIRES: pods > 0, levels of the tree
  GangOutcome Place(const GangRequest& request);

  // Whether Place would find a place, without working it out.
  bool Fits(const GangRequest& request);

  // As Place, were `victims` gone. `cluster` is the placer's own; it is as before afterwards.
  // REQUIRES: each victim holds what it says
  GangOutcome PlaceWithout(Cluster& cluster, std::span<const HeldPod> victims,
                           const GangRequest& request);

  // Gangs of `pods` pods that start now in one domain of `level` each, beside what counting
  // all free slots of the cluster promises.
  GangCapacity Capacity(const PodShape& shape, std::int32_t pods, std::uint32_t level);

  // Slots of each domain of a level, by DomainId; 0 for those of other levels.
  std::vector<std::int64_t> SlotsByDomain(const PodShape& shape, std::uint32_t level);

 private:
  GangPlacer(const Cluster& cluster, std::shared_ptr<const DomainOrder> order);
  SlotCounts& Counts(const GangRequest& request);

  const Cluster* cluster_;
  std::shared_ptr<const DomainOrder> order_;         // of copies too
  std::vector<std::unique_ptr<SlotCounts>> counts_;  // one a (shape, slice), last used first
  std::vector<NodeId> changed_;                      // in the order of the changes
  std::uint64_t dropped_ = 0;                        // changes before changed_[0]
};

// The same at once, from nothing: for a single question.
GangOutcome PlaceGang(const Cluster& cluster, const GangRequest& request);

}  // namespace plimsoll
