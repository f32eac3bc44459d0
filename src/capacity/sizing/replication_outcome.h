// ReplicationOutcome: what one simulated run of one fleet says of the questions asked, in integers.
//
// All that an answer needs of a run, so that runs can be made anywhere and put together exactly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "capacity/queue/wait_cause.h"
#include "capacity/sizing/share_estimate.h"
#include "capacity/sizing/wait_tally.h"

namespace plimsoll {

struct WaitOutcome {
  WaitTally waits;
  std::int64_t within = 0;  // waited at most as long as the target says, to the millisecond
  // What they waited for, in milliseconds; those that never started count what they had waited.
  std::array<std::int64_t, kWaitCauses> by_cause_ms{};

  HitCount hits() const { return {within, waits.count()}; }
  friend bool operator==(const WaitOutcome&, const WaitOutcome&) = default;
};

struct ReplicationOutcome {
  std::vector<WaitOutcome> classes;  // one a job class
  std::vector<WaitOutcome> gangs;    // one a gang target: its probes
  HitCount deadlines;                // jobs with a deadline, and how many met it
  // Thousandths of a GPU times milliseconds over the measured window.
  std::int64_t used = 0;  // held by jobs, of
  std::int64_t capacity = 0;
  std::int64_t lost = 0;           // by jobs: work lost to interruptions, and restarts
  std::int64_t interruptions = 0;  // failures, evictions and preemptions of jobs
  std::uint64_t fingerprint = 0;

  friend bool operator==(const ReplicationOutcome&, const ReplicationOutcome&) = default;
};

// Simulates replication r of the fleet at a point of the grid. Called from several threads at
// once, touches nothing shared, and draws arrivals, runs and failures from streams of the
// replication alone, so that all fleets meet the same jobs (common random numbers).
using Evaluator = std::function<ReplicationOutcome(std::size_t point, std::int64_t replication)>;

}  // namespace plimsoll
