// QuotaSpec: who may hold how much of what, as Kueue says it: queues (its ClusterQueues) in
// cohorts, which may lie within each other, with quotas by flavor and resource.
//
// Amounts are whole numbers of the resource's own unit, the same for all that name it (CPU in
// milli, memory in bytes, GPUs in pieces). A limit that is absent limits nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct ResourceQuota {
  std::string resource;
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrowing_limit;  // on top of nominal, from the cohort
  std::optional<std::int64_t> lending_limit;    // what the cohort may have of this quota
};

struct FlavorQuotas {
  std::string flavor;
  std::vector<ResourceQuota> resources;
};

// Resources that are given one flavor together; the flavors in the order in which they are tried,
// each with the same resources.
using QuotaGroup = std::vector<FlavorQuotas>;

enum class PreemptionPolicy : unsigned char {
  kNever,
  kLowerPriority,
  kLowerOrNewerEqualPriority,
  kAny,
};

// Whom a workload of the queue may evict.
struct QueuePreemption {
  PreemptionPolicy within_queue = PreemptionPolicy::kNever;
  PreemptionPolicy reclaim_within_cohort = PreemptionPolicy::kNever;  // from others that borrow
  // borrowWithinCohort LowerPriority: also where the evicting queue borrows then itself, of lower
  // priorities that are not above the threshold.
  bool borrow_within_cohort = false;
  std::optional<std::int32_t> max_priority_threshold;
};

enum class FlavorSearch : unsigned char { kMayStopSearch, kTryNextFlavor };
enum class FlavorPreference : unsigned char {
  kBorrowingOverPreemption,
  kPreemptionOverBorrowing,
};

struct FlavorFungibility {
  FlavorSearch when_can_borrow = FlavorSearch::kMayStopSearch;
  FlavorSearch when_can_preempt = FlavorSearch::kTryNextFlavor;
  FlavorPreference preference = FlavorPreference::kBorrowingOverPreemption;
};

enum class QueueingStrategy : unsigned char { kBestEffortFifo, kStrictFifo };

// Weights of fair sharing in billionths: 1 is 1'000'000'000. Of weight 0 all that is borrowed can
// be taken away, nothing of nominal.
inline constexpr std::int64_t kWeightOne = 1'000'000'000;

struct CohortSpec {
  std::string name;
  std::string parent;  // empty: a root; one that is only named has no quota of its own
  std::int64_t weight_nano = kWeightOne;
  std::vector<QuotaGroup> groups;
};

struct QueueSpec {
  std::string name;
  std::string cohort;  // empty: alone, it neither borrows nor lends
  std::int64_t weight_nano = kWeightOne;
  std::vector<QuotaGroup> groups;
  QueuePreemption preemption;
  FlavorFungibility fungibility;
  QueueingStrategy strategy = QueueingStrategy::kBestEffortFifo;
};

struct QuotaSpec {
  std::vector<CohortSpec> cohorts = {};
  std::vector<QueueSpec> queues = {};
};

// Which of Kueue's rules hold; the defaults are those of Kueue 0.17.
enum class FairStrategy : unsigned char { kLessThanOrEqualToFinalShare, kLessThanInitialShare };

struct QuotaRules {
  bool fair_sharing = false;  // else classical preemption
  std::vector<FairStrategy> fair_strategies = {FairStrategy::kLessThanOrEqualToFinalShare,
                                               FairStrategy::kLessThanInitialShare};
  // Gates by Kueue's names.
  bool priority_sorting_within_cohort = true;
  bool fair_sharing_preempt_within_nominal = true;
  bool fair_sharing_prioritize_non_borrowing = true;
  bool fair_sharing_reevaluate_preemption_candidates = false;
  bool scheduler_timestamp_preemption_buffer = false;  // newer by more than 5 min, or not newer
  bool partial_admission = true;
};

}  // namespace plimsoll
