// ClusterObjects: gathers the objects of one cluster, in any order, into facts.
//
// Owners, namespaces and nodes may come after the pods that need them, so pods are kept as
// records until the end. Memory is that of the pods' records, not of their JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "catalog/catalog.h"
#include "ingest/fleet_load.h"
#include "ingest/kubernetes/owners.h"
#include "ingest/kubernetes/pod_object.h"

namespace plimsoll {

struct ClusterFacts {
  FleetFacts facts;
  std::optional<Instant> as_of;  // the latest time that any object speaks of
  std::int64_t objects = 0;      // nodes, pods and namespaces taken
  std::int64_t duplicates = 0;   // objects seen before, by uid
  std::int64_t with_claims = 0;  // pods whose devices no request shows
  std::int64_t unknown_share = 0;
  std::map<std::string, std::int64_t> ignored;  // objects of no use, by kind
};

class ClusterObjects {
 public:
  // `catalog` may be null.
  ClusterObjects(std::string cluster, const Catalog* catalog)
      : cluster_(std::move(cluster)), catalog_(catalog) {}

  // Takes one object. `list_kind` ("PodList") names its kind if it does not itself.
  // An object that cannot be taken is in `error`.
  void Add(const nlohmann::json& object, const std::string& list_kind, FieldError& error);

  // The facts; afterwards the object is used up.
  ClusterFacts Finish();

 private:
  void AddPod(const FieldReader& object);
  void AddNode(const FieldReader& object, const std::string& uid);
  void AddNamespace(const FieldReader& object);
  void AddOther(const FieldReader& object, const std::string& kind, const std::string& uid);
  void NameWorkload(PodObject& pod);
  void Cover(std::optional<Instant> time);

  std::string cluster_;
  const Catalog* catalog_;
  std::map<std::string, PodObject> pods_;   // by uid
  std::map<std::string, NodeBatch> nodes_;  // by name; several rows if seen again
  std::map<std::string, std::map<std::string, std::string>> namespaces_;  // labels by name
  OwnerIndex owners_;
  std::map<std::string, std::int64_t> others_;  // objects of other kinds
  std::map<std::string, std::int64_t> seen_;    // sightings by kind and uid
  ClusterFacts out_;
};

}  // namespace plimsoll
