// Owners: from a pod up to the workload that someone would name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/kubernetes/field_reader.h"

namespace plimsoll {

struct OwnerRef {
  std::string kind, name, uid;  // "" if there is no owner
};

// The controller among metadata.ownerReferences, else the first of them.
OwnerRef ControllerOf(const FieldReader& object);

// Objects of any kind that may own others, by uid.
class OwnerIndex {
 public:
  struct Object {
    std::string kind, name;
    OwnerRef owner;
    std::string queue;  // label kueue.x-k8s.io/queue-name
  };
  void Add(const std::string& uid, Object object) { objects_[uid] = std::move(object); }

  struct Top {
    std::string kind, name;
    std::string queue;  // of the lowest owner that has one
  };
  // Climbs from `owner` as far as the known objects lead. Where an object in the middle is not
  // known, the pod's labels tell what is above it: a ReplicaSet's Deployment is its name
  // without the pod-template-hash; JobSet, LeaderWorkerSet, Notebook, InferenceService and
  // RayJob or RayService name themselves on their pods; a Job whose name ends in a minute
  // since 1970 of the week before `created` is of the CronJob before it.
  Top Climb(const OwnerRef& owner, const std::map<std::string, std::string>& pod_labels,
            std::optional<Instant> created = std::nullopt);

  // Uids from `owner` upwards, the last of an object that may not be known.
  std::vector<std::string> Chain(const OwnerRef& owner) const;

  // Kinds that some chain passed through, so that they were of use.
  const std::set<std::string>& used_kinds() const { return used_kinds_; }

 private:
  std::map<std::string, Object> objects_;
  std::set<std::string> used_kinds_;
};

}  // namespace plimsoll
