// TracePolicy: rules that decide at every tick between spot, on demand and waiting.
//
// As published with the simulator of "Can't Be Late" (Wu et al., NSDI 2024) and its forerunner
// (skypilot-spot-strategy, 2023), with the same edges: see docs/guides/spot-traces.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "purchase/spot/trace_job.h"

namespace plimsoll {

enum class TracePolicy : unsigned char {
  kOnDemand,
  kSpotOnly,      // waits for spot, whatever the deadline
  kGreedy,        // waits for spot until only on-demand meets the deadline
  kPairAmortize,  // the work in equal parts a time slot of 8 h; what is left over is spread evenly
  kUniformProgress,    // on demand only while behind an even progress to the deadline
  kUniformHysteresis,  // and back to spot only when ahead by two restarts
  kOptimum,            // the least cost, knowing the whole trace
  kOptimumPublished,   // the same by the published integer programme: see OptimumOptions
};
inline constexpr const char* kTracePolicyNames[] = {
    "on-demand",     "spot-only",        "greedy",
    "pair-amortize", "uniform-progress", "uniform-progress-hysteresis",
    "optimum",       "optimum-published"};
inline constexpr Duration kPairSlot = Hours(8);

std::optional<TracePolicy> ParseTracePolicy(std::string_view name);

// Greedy and pair-amortize were published without a look at whether the work is done: they decide
// once more after it is, and what they then hold is paid for a tick.
constexpr bool SeesItsEnd(TracePolicy policy) {
  return policy != TracePolicy::kGreedy && policy != TracePolicy::kPairAmortize;
}

enum class Machine : unsigned char { kNone, kSpot, kOnDemand };

// What a policy may look at: the past and this tick.
struct PolicySight {
  std::int64_t tick = 0;
  bool has_spot = false;
  Machine current = Machine::kNone;  // none if it was preempted at this tick
  Duration done;                     // of the work, before this tick
  Duration restarting;               // still to go of the last restart
};

// One job's decisions. Called once a tick, in order, from 0 on.
class PolicyRun {
 public:
  // REQUIRES: work, deadline, gap > 0; `policy` looks at no future
  PolicyRun(TracePolicy policy, const TraceJob& job, Duration gap);

  Machine Decide(const PolicySight& sight);

 private:
  Machine Greedy(const PolicySight& sight) const;
  Machine PairAmortize(const PolicySight& sight);
  Machine UniformProgress(const PolicySight& sight) const;
  bool IsPairOver(const PolicySight& sight);
  bool IsLast(std::int64_t work_ms, const PolicySight& sight) const;
  std::int64_t LeftMs(const PolicySight& sight) const;

  TracePolicy policy_;
  TraceJob job_;
  std::int64_t gap_;
  std::vector<std::int64_t> done_;  // by tick, of pair-amortize
  std::int64_t slots_ = 0, slot_ticks_ = 0, slot_ = 0;
  double earned_ = 0;  // seconds ahead of plan in the slots before
};

}  // namespace plimsoll
