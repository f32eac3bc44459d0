// Room: a cluster with what is free on it by size, and where a gang would go.
//
// Nodes are taken tightest first: those with the fewest whole free GPUs, of equal ones the first;
// each takes as many pods as fit on it. Pods that share a GPU go to the fullest GPU that takes
// them; pods without GPUs to the node with the fewest GPUs free, then the least CPU. A gang that
// requires a domain gets the one with the fewest pods' room that suffices, of equal ones the
// first. A copy is a state of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/queue/free_index.h"
#include "capacity/queue/gang_need.h"
#include "capacity/queue/node_chooser.h"
#include "capacity/queue/wait_cause.h"

namespace plimsoll {

class Room {
 public:
  explicit Room(Cluster cluster) : cluster_(std::move(cluster)), index_(cluster_) {}

  const Cluster& cluster() const { return cluster_; }
  const FreeIndex& index() const { return index_; }

  bool Fits(const GangNeed& need) const;
  // Where it would lie now; nothing is taken. False and no places: it does not fit.
  bool Place(const GangNeed& need, GangPlaces& places) const;
  // The same pod by pod as `chooser` says. Topology requests are not its business.
  bool Place(const GangNeed& need, NodeChooser& chooser, GangPlaces& places);
  // Why it does not fit. REQUIRES: it does not
  WaitCause WhyNot(const GangNeed& need) const;

  // Pods of shared GPUs become a place each. REQUIRES: as Place says, in the same state
  void Take(const PodShape& shape, GangPlaces& places);
  // Takes the very GPUs that the places name. REQUIRES: they are free
  void TakeAgain(const PodShape& shape, const GangPlaces& places);
  void Give(const PodShape& shape, const GangPlaces& places);
  void SetUp(NodeId node, bool up);

  // Nodes that are up and of these flavors, tightest first.
  std::vector<NodeId> TightestFirst(FlavorSet flavors) const;

 private:
  bool Fill(const GangNeed& need, DomainId within, GangPlaces& places) const;
  bool PlaceInDomain(const GangNeed& need, std::uint32_t level, GangPlaces& places) const;
  bool PlaceOnOneNode(const GangNeed& need, GangPlaces& places) const;
  bool PlaceSlices(const GangNeed& need, GangPlaces& places) const;
  std::int64_t SlotsIn(DomainId domain, const PodShape& shape) const;
  DomainId TightestDomain(const GangNeed& need, std::uint32_t level) const;
  std::int64_t SlotsInAll(const PodShape& shape) const;

  // Calls visit(node) in the order of placement until it returns true.
  template <class Visit>
  void VisitTightestFirst(const PodShape& shape, DomainId within, const Visit& visit) const;
  template <class Visit>
  bool VisitWhole(const PodShape& shape, DomainId within, const Visit& visit) const;
  template <class Visit>
  bool VisitShared(const PodShape& shape, DomainId within, const Visit& visit) const;
  template <class Visit>
  void VisitWithoutGpus(const PodShape& shape, DomainId within, const Visit& visit) const;
  bool LiesIn(NodeId node, DomainId domain) const;

  Cluster cluster_;
  FreeIndex index_;
};

}  // namespace plimsoll
