// AssignFlavors: which flavor each resource of a workload gets, and whether it fits.
//
// Flavors of a group are tried in their order; what ends the search and which of them is best is
// the queue's flavor fungibility (Kueue's flavor assigner).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "capacity/quota/preemption.h"
#include "capacity/quota/quota_state.h"

namespace plimsoll {

struct ResourceAmount {
  std::uint32_t resource = 0;  // of the tree
  std::int64_t amount = 0;     // a pod
};

// Equal pods. min_count below count: fewer will do (Kueue's partial admission).
struct PodSet {
  std::int32_t count = 1;
  std::int32_t min_count = 1;
  std::vector<ResourceAmount> per_pod;
  std::vector<bool> accepts;  // by flavor of the tree; empty: any (selectors, taints)
};

// Where the search of a workload goes on: the flavor after the last one tried, a pod set and a
// resource (index into the tree's). Empty: from the first.
using FlavorCursor = std::vector<std::vector<std::int32_t>>;

// A workload that waits for quota.
struct QuotaRequest {
  std::uint64_t id = 0;
  QuotaNode queue = 0;
  std::int32_t priority = 0;
  Instant queued;
  std::vector<PodSet> pod_sets;
  FlavorCursor cursor;  // from the assignment before, as long as no quota was freed since
};

enum class AssignmentMode : unsigned char { kNoFit, kPreempt, kFit };

// Why it has no quota; Kueue's reasons of the condition QuotaReserved.
enum class NoFitReason : unsigned char {
  kNone,
  kPlacementFailed,   // quota is there, nodes never
  kWaitingForQuota,   // it may fit later
  kExceedsMaxQuota,   // it never fits, whatever is evicted
  kNoMatchingFlavor,  // no flavor is accepted, or the queue has no quota of a resource
};
inline constexpr const char* kNoFitReasonNames[] = {
    "", "TopologyPlacementFailed", "WaitingForQuota", "ExceedsMaxQuota", "NoMatchingFlavor"};

struct ResourceFlavor {
  std::uint32_t resource = 0;
  std::uint32_t flavor = 0;
  AssignmentMode mode = AssignmentMode::kNoFit;

  friend bool operator==(const ResourceFlavor&, const ResourceFlavor&) = default;
};

struct FlavorAssignment {
  AssignmentMode mode = AssignmentMode::kNoFit;      // the worst of all resources
  NoFitReason reason = NoFitReason::kNone;           // of kNoFit
  std::int32_t borrowing = 0;                        // QuotaTree::BorrowingReach, the farthest
  std::vector<std::vector<ResourceFlavor>> flavors;  // a pod set
  std::vector<std::int32_t> counts;                  // pods, a pod set
  std::vector<QuotaAmount> usage;                    // in all, a cell once
  std::vector<QuotaCell> contested;                  // cells in mode kPreempt
  FlavorCursor cursor;
  bool flavors_left = false;  // others remain to be tried: try again at once
};

// What the caller knows of nodes. Not set: everything finds its place.
struct PlacementHooks {
  // Whether the pods would find nodes with these flavors now (kFit), only without others
  // (kPreempt) or never (kNoFit).
  std::function<AssignmentMode(const QuotaRequest&, const FlavorAssignment&)> could_place = {};
  // Whether they would once these have gone.
  std::function<bool(const QuotaRequest&, const FlavorAssignment&, std::span<const Victim>)>
      places_without = {};
  // Takes nodes for a workload that a cycle is about to admit; false: others of the cycle did.
  std::function<bool(const QuotaRequest&, const FlavorAssignment&)> admit = {};
};

// All pods. `state` is as before afterwards.
FlavorAssignment AssignFlavors(QuotaState& state, const QuotaRequest& request,
                               const QuotaRules& rules, const PlacementHooks& hooks = {});

// Flavors and the victims that make room, with all pods or, if that finds no room, with the most
// that do (rules.partial_admission): what a scheduling cycle begins with for each head.
struct Nomination {
  FlavorAssignment assignment;
  std::vector<Victim> victims;  // of mode kPreempt; none: nobody can be evicted for it
};
Nomination Nominate(QuotaState& state, const QuotaRequest& request, const QuotaRules& rules,
                    const PlacementHooks& hooks = {});

}  // namespace plimsoll
