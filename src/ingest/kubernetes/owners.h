// Owners: from a pod up to the workload that someone would name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

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
  // Climbs from `owner` as far as the known objects lead. A ReplicaSet that is not known is
  // named by its Deployment if the pod's label pod-template-hash is the name's last part.
  Top Climb(const OwnerRef& owner, const std::map<std::string, std::string>& pod_labels);

  // Kinds that some chain passed through, so that they were of use.
  const std::set<std::string>& used_kinds() const { return used_kinds_; }

 private:
  std::map<std::string, Object> objects_;
  std::set<std::string> used_kinds_;
};

}  // namespace plimsoll
