// How many pods, slices and leaders each domain of a snapshot takes for one podset group.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capacity/topology/tas_request.h"
#include "capacity/topology/tas_snapshot.h"

namespace plimsoll {

// First what fits, then what is taken. "with_leader": while the leader lies there too.
struct TasDomainState {
  std::int64_t pods = 0, pods_with_leader = 0;
  std::int64_t slices = 0, slices_with_leader = 0;  // 0 below the slice level
  std::int64_t leaders = 0;
  std::int64_t affinity = 0;  // of preferred node affinity, summed over nodes
};
using TasStates = std::vector<TasDomainState>;  // by domain

// What is searched for, with levels resolved.
struct TasNeed {
  std::int64_t count = 0;  // workers
  std::int64_t leaders = 0;
  std::int64_t slice_size = 1;
  std::uint32_t level = 0, slice_level = 0;
  bool required = false, unconstrained = false;
  std::map<std::uint32_t, std::int64_t> inner_sizes{};  // below slice_level, of slices in slices
  std::vector<TasSliceLayer> layers{};                  // all of them, if there are inner ones

  std::int64_t slices() const { return count / slice_size; }
};

// What a leaf has to offer to count.
struct TasPodNeed {
  ResourceAmounts pod;                    // with one of "pods"
  std::optional<ResourceAmounts> leader;  // likewise
  LabelMap node_selector;
  std::vector<Toleration> tolerations;  // the flavor's too
  NodeAffinity affinity;
  std::string within;           // id of the domain that leaves must lie in; empty: any
  bool simulate_empty = false;  // as if nothing that TAS admitted were there
};

// Leaves that take no pod, by the first reason found.
struct TasExclusions {
  int leaves = 0;  // in all
  int node_selector = 0, affinity = 0, topology_domain = 0;
  std::map<std::string, int> taints, resources;

  bool any() const;
  std::string Text() const;  // "nodeSelector: 2, resource \"cpu\": 1", sorted
};

using AssumedUsage = std::map<std::string, ResourceAmounts>;  // by id of the leaf

// How many times `request` goes into `free`, and the resource that runs out first (of equal
// ones the first by name).
struct TasFit {
  std::int64_t count = 0;
  std::string limit;
};
TasFit CountIn(const ResourceAmounts& request, const ResourceAmounts& free);

TasStates CountDomains(const TasSnapshot& snapshot, const TasPodNeed& pod, const TasNeed& need,
                       const AssumedUsage& assumed, TasExclusions& exclusions);

// Counts of `domain` and all within it anew from its leaves' pods. Without `inner` slices within
// slices are not rounded.
void RollUp(const TasSnapshot& snapshot, const TasNeed& need, bool inner, std::uint32_t domain,
            TasStates& states);

}  // namespace plimsoll
