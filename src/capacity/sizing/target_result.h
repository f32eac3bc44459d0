// TargetResult: how a fleet did on one target, over all replications, and how sure that is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capacity/sizing/share_estimate.h"
#include "capacity/sizing/sizing_target.h"
#include "capacity/sizing/wait_quantile.h"

namespace plimsoll {

enum class TargetKind : unsigned char { kClass, kGang, kDeadlines };

// Which target: `index` into the classes or the gangs.
struct TargetId {
  TargetKind kind = TargetKind::kClass;
  std::size_t index = 0;

  friend bool operator==(const TargetId&, const TargetId&) = default;
};

struct TargetResult {
  TargetId id;
  std::int64_t target = 0;  // share in billionths; 0: only shown
  ShareEstimate share;      // within the time
  WaitQuantile wait;        // at the target's share; the 95th percentile where there is none

  bool asked() const { return target > 0; }
  // By the estimate, exactly; nobody late is nobody there.
  bool met() const;
  // The whole interval is on the side of the estimate.
  bool is_sure() const;
};

// Classes, gangs, then deadlines if any job has one.
std::vector<TargetResult> JudgeTargets(const SizingTargets& targets,
                                       std::span<const ReplicationOutcome> replications);

// The share that intervals are to hold.
double ConfidenceOf(const SizingTargets& targets);

// The hits of one target, by replication.
HitCount HitsOf(const ReplicationOutcome& outcome, TargetId id);
const WaitTally* WaitsOf(const ReplicationOutcome& outcome, TargetId id);  // null of deadlines

}  // namespace plimsoll
