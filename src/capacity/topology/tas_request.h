// What Kueue's topology-aware scheduling (TAS) is asked for, and what it answers.
//
// Words and defaults are Kueue's (KEP-2724); levels are node label keys, widest first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capacity/topology/node_match.h"

namespace plimsoll {

// Feature gates that change what is decided, at their defaults.
struct TasGates {
  bool profile_mixed = true;        // unconstrained: least free capacity first
  bool multi_layer = true;          // slices within slices
  bool overlapping_flavors = true;  // usage of other flavors on the same hosts counts
  bool balanced_placement = false;  // preferred: spread evenly over as few domains
  bool preferred_affinity = false;  // preferred node affinity goes before best fit
  bool elastic_slices = false;      // a grown workload keeps the pods that it has
  bool skip_pod_owned = true;       // a lone pod is not moved off an unhealthy node
};

struct TasDomainPods {
  std::vector<std::string> values;  // of the assignment's levels
  std::int32_t count = 0;

  friend bool operator==(const TasDomainPods&, const TasDomainPods&) = default;
};

struct TasAssignment {
  std::vector<std::string> levels;     // the host's alone, if the topology ends with it
  std::vector<TasDomainPods> domains;  // in the order of their values

  friend bool operator==(const TasAssignment&, const TasAssignment&) = default;
};

struct TasSliceLayer {
  std::string level;
  std::int32_t size = 0;  // pods; 0: not given
};

struct TasTopologyRequest {
  std::optional<std::string> required, preferred;
  bool unconstrained = false;
  std::vector<TasSliceLayer> slices;  // outermost first
};

struct TasPodSet {
  std::string name;
  std::optional<TasTopologyRequest> topology;
  bool implied = false;  // no request of its own, in a queue with topology only
  ResourceAmounts pod;   // of one pod, without "pods"
  std::int32_t count = 0;
  std::optional<std::string> group;       // podsets of one group are a leader (one pod) and workers
  std::optional<TasAssignment> previous;  // of the workload slice that this one replaces
  LabelMap node_selector;
  std::vector<Toleration> tolerations;
  NodeAffinity affinity;
};

// An admitted workload that lost a node.
struct TasRepair {
  std::map<std::string, TasAssignment> admitted;  // by podset
  std::string unhealthy_node;
  bool owned_by_single_pod = false;
};

// An assignment, or the reason why there is none.
struct TasResult {
  std::optional<TasAssignment> assignment;
  std::string reason;
};

}  // namespace plimsoll
