// GangRequest and GangOutcome: what a gang asks of the topology of a cluster, and what it gets.
//
// A gang of equal pods lies as a whole or not at all. Pods are counted in slots: a node has as
// many for a shape as such pods fit on it now (Cluster::Slots).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/model/training_job.h"

namespace plimsoll {

// Levels are those of the cluster's tree; tree().levels().size() is the node itself, the level
// below all. Slices are only whole: slice_pods divides pods, slice_level is `level` or deeper.
struct GangRequest {
  PodShape shape;
  std::int32_t pods = 1;
  TopologyRequest topology;

  friend bool operator==(const GangRequest&, const GangRequest&) = default;
};

struct NodePods {
  NodeId node = 0;
  std::int32_t pods = 0;

  friend bool operator==(const NodePods&, const NodePods&) = default;
};

// Why a gang has no place.
enum class GangShortage : unsigned char {
  kNone,    // it has one
  kCount,   // all nodes together do not take that many pods
  kDomain,  // they do, but no domain of the level does
  kSlices,  // enough pods, but not in whole slices
};
inline constexpr const char* kGangShortageNames[] = {"none", "count", "domain", "slices"};

struct GangOutcome {
  std::vector<NodePods> nodes;  // in the order of the topology; empty: no place
  GangShortage shortage = GangShortage::kNone;
  // Where there is no place: pods that all nodes together would take now, and the most of them
  // that one domain of the level takes (in whole slices, if there are slices).
  std::int64_t slots = 0;
  std::int64_t largest = 0;

  bool placed() const { return shortage == GangShortage::kNone; }
  friend bool operator==(const GangOutcome&, const GangOutcome&) = default;
};

// How many equal gangs start now, each within one domain of a level.
struct GangCapacity {
  std::int64_t in_domains = 0;      // sum over domains of floor(slots / pods)
  std::int64_t by_count = 0;        // floor(all slots / pods): what counting free GPUs promises
  std::int32_t domains_enough = 0;  // that take one gang or more
  std::int64_t largest = 0;         // slots of the largest domain

  friend bool operator==(const GangCapacity&, const GangCapacity&) = default;
};

// A pod that holds its part of a node.
struct HeldPod {
  NodeId node = 0;
  PodShape shape;
  GpuSet gpus = 0;
};

}  // namespace plimsoll
