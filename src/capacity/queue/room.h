// Room: a cluster with what is free on it by size, and where a gang would go.
//
// Without a topology request nodes are taken tightest first: those with the fewest whole free
// GPUs, of equal ones the first; each takes as many pods as fit on it. Pods that share a GPU go
// to the fullest GPU that takes them; pods without GPUs to the node with the fewest GPUs free,
// then the least CPU. Gangs that ask for domains get them as capacity/topology says; one that
// prefers a domain and finds too few nodes in any gets nodes anywhere. A copy is a state of its
// own. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/queue/free_index.h"
#include "capacity/queue/gang_need.h"
#include "capacity/queue/node_chooser.h"
#include "capacity/queue/wait_cause.h"
#include "capacity/topology/gang_placer.h"

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
  bool Fill(const GangNeed& need, GangPlaces& places) const;
  bool PlaceByTopology(const GangNeed& need, std::int32_t pods, GangPlaces& places) const;
  bool PlaceRequired(const GangNeed& need, GangPlaces& places) const;
  bool PlaceOnOneNode(const GangNeed& need, GangPlaces& places) const;
  std::int32_t PodsInSlices(const GangNeed& need) const;
  std::int64_t SlotsIn(DomainId domain, const PodShape& shape) const;
  DomainId TightestDomain(const GangNeed& need, std::uint32_t level) const;
  void Changed(NodeId node);
  GangPlacer& placer() const;
  void TakeOn(const PodShape& shape, const PodsOnNode& place);
  std::int64_t SlotsInAll(const PodShape& shape) const;

  // Calls visit(node) in the order of placement until it returns true.
  template <class Visit>
  void VisitTightestFirst(const PodShape& shape, const Visit& visit) const;
  template <class Visit>
  bool VisitWhole(const PodShape& shape, const Visit& visit) const;
  template <class Visit>
  bool VisitShared(const PodShape& shape, const Visit& visit) const;
  template <class Visit>
  void VisitWithoutGpus(const PodShape& shape, const Visit& visit) const;
  bool LiesIn(NodeId node, DomainId domain) const;

  // Bound to the cluster of one room, and made when first asked for.
  struct OwnPlacer {
    OwnPlacer() = default;
    OwnPlacer(const OwnPlacer&) {}
    OwnPlacer& operator=(const OwnPlacer&) {
      own.reset();
      return *this;
    }
    std::unique_ptr<GangPlacer> own;
  };

  Cluster cluster_;
  FreeIndex index_;
  mutable OwnPlacer placer_;
};

}  // namespace plimsoll
