// OutcomeDifference: what a change of fleet, policy, quota or failures does to each measure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "capacity/sizing/paired_difference.h"
#include "capacity/sizing/target_result.h"

namespace plimsoll {

enum class Measure : unsigned char {
  kMeanWait,     // milliseconds; none where a job or probe was not seen to start
  kWaitP95,      // milliseconds; none where it is one that was not seen to start
  kShareWithin,  // of the target's time
  kUtilization,
  kLost,  // of the held GPU time: to interruptions and restarts
  kInterruptions,
};
inline constexpr const char* kMeasureNames[] = {"mean_wait",   "wait_p95", "share_within",
                                                "utilization", "lost",     "interruptions"};

struct OutcomeDifference {
  Measure measure = Measure::kMeanWait;
  std::optional<TargetId> target;  // null: of the whole cluster
  PairedDifference paired;
  // In some replication, before or after, a wait has no known end and so the measure no value: then
  // none is given, for those in which it has one are the lucky ones.
  bool censored = false;
};

// Every measure of every target, then of the cluster; replication i of both is of the same random
// numbers. REQUIRES: as many replications before as after
std::vector<OutcomeDifference> CompareOutcomes(const SizingTargets& targets,
                                               std::span<const ReplicationOutcome> before,
                                               std::span<const ReplicationOutcome> after);

}  // namespace plimsoll
