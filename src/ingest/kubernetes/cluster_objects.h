// ClusterObjects: gathers the objects of one cluster, in any order, into facts.
//
// Owners, namespaces and nodes may come after the pods that need them, so pods are kept as
// records until the end. Memory is that of the pods' records, not of their JSON. An object may
// be seen many times, as a watch does: of what it is now the latest version counts, of when it
// became so every sighting.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "ingest/fleet_load.h"
#include "ingest/kubernetes/device_claims.h"
#include "ingest/kubernetes/kueue_workloads.h"
#include "ingest/kubernetes/node_states.h"
#include "ingest/kubernetes/owners.h"
#include "ingest/kubernetes/pod_object.h"
#include "ingest/kubernetes/set_asides.h"
#include "ingest/kubernetes/volume_claims.h"

namespace plimsoll {

struct ClusterFacts {
  FleetFacts facts;
  std::optional<Instant> as_of;  // as given, else the latest time that any object speaks of
  std::int64_t objects = 0;      // nodes, pods, namespaces and conditions taken
  std::int64_t duplicates = 0;   // objects seen before, by uid
  std::int64_t with_claims = 0;  // pods whose devices no request or claim shows
  std::int64_t unknown_share = 0;
  std::int64_t resized = 0;           // pods whose CPU or memory changed between sightings
  std::int64_t without_template = 0;  // CapacityBuffers whose pod template is not known
  std::int64_t gone = 0;              // pods and nodes known before that are no more
  std::map<std::string, std::int64_t> ignored;  // objects of no use, by kind
};

// What the store has of the cluster, and what the objects at hand are of it.
struct KnownFacts {
  std::optional<Instant> as_of;    // when the objects were read, if the reader knows
  FleetFacts facts;                // open holdings and volumes; all nodes and conditions
  std::optional<Instant> until;    // up to when `facts` speak
  std::set<std::string> complete;  // kinds of which every object there is was read
};

class ClusterObjects {
 public:
  // `catalog` may be null.
  ClusterObjects(std::string cluster, const Catalog* catalog)
      : cluster_(std::move(cluster)), catalog_(catalog) {}

  // Takes one object. An object that cannot be taken is in `error`.
  void Add(const nlohmann::json& object, const Sighting& sighting, FieldError& error);
  void Add(const nlohmann::json& object, const std::string& list_kind, FieldError& error) {
    Add(object, Sighting{list_kind, std::nullopt, false}, error);
  }

  // The facts; afterwards the objects are used up. What was known to be there, is of a complete
  // kind and was not among the objects has ended, a pod when it was last known to be there.
  ClusterFacts Finish(const KnownFacts& known = {});

 private:
  struct NodeSighting {
    std::string resource_version, uid;
    std::optional<Instant> at;
    NodeBatch row;
    std::vector<NodeStateSighting> states;
    std::int64_t card_mib = 0;
  };
  void AddPod(const FieldReader& object, const Sighting& sighting);
  void AddNode(const FieldReader& object, const std::string& uid, const Sighting& sighting);
  void AddNamespace(const FieldReader& object);
  bool AddCondition(const FieldReader& object, const std::string& kind, const Sighting& sighting);
  void AddOther(const FieldReader& object, const std::string& kind, const std::string& uid);
  void CountSighting(const FieldReader& object, const std::string& kind);
  void NameWorkload(PodObject& pod);
  void Cover(std::optional<Instant> time);
  void FinishPods();
  void FinishNodes(const KnownFacts& known);
  void FinishStates(const KnownFacts& known);
  void FinishSetAsides(const KnownFacts& known);

  std::string cluster_;
  const Catalog* catalog_;
  std::map<std::string, PodObject> pods_;                                 // by uid
  std::map<std::string, std::vector<NodeSighting>> nodes_;                // by name
  std::map<std::string, std::map<std::string, std::string>> namespaces_;  // labels by name
  OwnerIndex owners_;
  DeviceClaims claims_;
  KueueWorkloads workloads_;
  CapacityBuffers buffers_;
  VolumeClaims volumes_;
  std::map<std::string, std::int64_t> others_;  // objects of other kinds
  std::map<std::string, std::int64_t> seen_;    // sightings by kind and uid
  ClusterFacts out_;
};

}  // namespace plimsoll
