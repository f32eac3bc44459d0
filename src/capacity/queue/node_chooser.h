// NodeChooser: which node a pod gets, for those who want it otherwise than the tightest first.
//
// A gang is placed pod by pod; if one finds no node, none is placed. Without a chooser the queue
// takes the node with the fewest whole free GPUs that takes the pod, of equal ones the first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "capacity/model/cluster.h"

namespace plimsoll {

struct PodPlace {
  NodeId node = 0;
  GpuSet gpus = 0;
};

class NodeChooser {
 public:
  virtual ~NodeChooser() = default;
  // Null if no node takes the pod now. REQUIRES: a place is one that Cluster::Take accepts
  virtual std::optional<PodPlace> Choose(const Cluster& cluster, const PodShape& shape) = 0;
  // One of the same kind in the same state: each replication and each probe has its own.
  virtual std::unique_ptr<NodeChooser> Clone() const = 0;
};

}  // namespace plimsoll
