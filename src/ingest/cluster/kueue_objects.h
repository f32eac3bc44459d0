// KueueObjects: Kueue's ClusterQueues, Cohorts, ResourceFlavors, LocalQueues and priority classes,
// from manifests or from what kubectl prints, as the quotas that capacity/quota works with.
//
// Both API versions, v1beta1 and v1beta2, with the defaults of Kueue's API. Other kinds are passed
// over. CPU in milli, all else in its own unit (memory in bytes).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "capacity/quota/quota_spec.h"

namespace plimsoll {

struct KueueFlavor {
  std::string name;
  std::map<std::string, std::string> node_labels;
  struct Taint {
    std::string key, value, effect;

    friend bool operator==(const Taint&, const Taint&) = default;
  };
  std::vector<Taint> node_taints;
  std::string topology;  // of its nodes; empty: none
};

struct KueueLocalQueue {
  std::string ns, name, cluster_queue;

  friend bool operator==(const KueueLocalQueue&, const KueueLocalQueue&) = default;
};

struct KueueObjects {
  QuotaSpec quotas;
  std::vector<KueueFlavor> flavors;
  std::vector<KueueLocalQueue> local_queues;
  std::map<std::string, std::int32_t> priorities;  // by WorkloadPriorityClass, else PriorityClass
  std::vector<std::string> stopped;                // ClusterQueues that hold what they are given
};

// A file's name for errors, and its text: YAML documents, or JSON as kubectl prints it.
using KueueFile = std::pair<std::string, std::string>;

// Fails with kBadData, naming file, object and field: text that is neither, a field of the wrong
// type or value, an object twice, a queue of a flavor or ClusterQueue that no object describes,
// quotas that make no tree, or not one ClusterQueue in all files.
Result<KueueObjects> ReadKueueObjects(std::span<const KueueFile> files);

}  // namespace plimsoll
