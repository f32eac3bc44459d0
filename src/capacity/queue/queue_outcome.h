// QueueOutcome: what happened to each job and each GPU in one simulated run.
//
// Nothing is lost: used + idle + down GPU time is capacity x time, and of each job the parts of
// its GPU time are what it held; both are checked in every run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "capacity/queue/wait_cause.h"
#include "sim/fingerprint.h"
#include "units/money.h"
#include "units/quantity.h"
#include "units/time.h"

namespace plimsoll {

// A thousandth of a GPU for a millisecond: GPU time of shared GPUs is whole numbers of it.
using GpuMicros = Quantity<struct GpuMicrosTag>;

// What GPU time that a job held was for.
enum class GpuUse : unsigned char {
  kUseful,      // work that counts
  kLost,        // work done since the last checkpoint when the job was interrupted
  kRestart,     // restoring from it
  kWarmUp,      // images and data, at each start
  kCheckpoint,  // writing them, broken ones too
};
inline constexpr std::size_t kGpuUses = 5;
inline constexpr const char* kGpuUseNames[] = {"useful", "lost", "restart", "warm_up",
                                               "checkpoint"};

struct GpuUseSplit {
  std::array<GpuMicros, kGpuUses> by_use{};

  GpuMicros& operator[](GpuUse use) { return by_use[static_cast<std::size_t>(use)]; }
  GpuMicros operator[](GpuUse use) const { return by_use[static_cast<std::size_t>(use)]; }
  constexpr GpuMicros total() const {
    GpuMicros sum;
    for (const GpuMicros part : by_use) sum += part;
    return sum;
  }
  constexpr void Add(const GpuUseSplit& other) {
    for (std::size_t i = 0; i < kGpuUses; ++i) by_use[i] += other.by_use[i];
  }
  friend constexpr bool operator==(const GpuUseSplit&, const GpuUseSplit&) = default;
};

// How a simulated job stands when the run ends.
enum class JobState : unsigned char {
  kNotSubmitted,
  kNever,  // it would not start on the empty cluster; it never queued
  kWaiting,
  kRunning,
  kDone,
};
inline constexpr const char* kJobStateNames[] = {"not_submitted", "never", "waiting", "running",
                                                 "done"};

struct JobOutcome {
  JobState state = JobState::kNotSubmitted;
  WaitCause never = WaitCause::kBusy;  // why, of kNever
  std::optional<Instant> started;      // the first start
  std::optional<Instant> ended;        // of kDone
  std::int32_t starts = 0;
  std::int32_t pods = 0;  // of the last start
  std::int32_t failures = 0, evictions = 0, preemptions = 0, maintenances = 0;
  WaitSplit first_wait;   // total is started - submitted, or the wait until the run's end
  WaitSplit later_waits;  // after interruptions
  GpuUseSplit gpu_time;   // total is what it held; work that ran at the end of the run is useful

  friend bool operator==(const JobOutcome&, const JobOutcome&) = default;
};

// Over the measured window, all nodes. used + idle + down + spare = capacity.
struct ClusterTotals {
  Window window;
  GpuMicros capacity, used, idle, down, spare;
  GpuUseSplit uses;               // of stays on nodes that ended in the window, whole
  std::int64_t waiting_ms = 0;    // integral of the number of waiting jobs
  int128 waiting_gpu_micros = 0;  // integral of what they ask for: GpuMicros, of any size
  GpuMicros head_of_line_idle;    // idle while a head held up jobs of its line that would fit
  std::int64_t events = 0;
  std::int64_t passes = 0;  // looks at the queue
  std::int64_t starts = 0, ends = 0;
  std::int64_t failures = 0;  // nodes, by themselves
  std::int64_t domain_failures = 0;
  std::int64_t evictions = 0;    // nodes
  std::int64_t preemptions = 0;  // jobs

  friend bool operator==(const ClusterTotals&, const ClusterTotals&) = default;
};

// One step of the timeline: GPU time within [at, at + step).
struct TimelineStep {
  Instant at;
  std::vector<GpuMicros> used_by_queue;
  GpuMicros idle, down, spare;
  GpuMicros waiting;  // asked for by who waits

  friend bool operator==(const TimelineStep&, const TimelineStep&) = default;
};

// The answer of one branch.
struct ProbeAnswer {
  Instant at;
  std::optional<Duration> wait;  // null: not within
  WaitSplit split;               // total is the wait, or `within`
  bool never = false;            // it would not start on the empty cluster

  friend bool operator==(const ProbeAnswer&, const ProbeAnswer&) = default;
};

struct QueueOutcome {
  std::vector<JobOutcome> jobs;  // as the workload's
  ClusterTotals totals;
  std::vector<TimelineStep> timeline;
  std::vector<GpuMicros> used_by_node;           // over the measured window
  std::vector<std::vector<ProbeAnswer>> probes;  // as the options', in the order of time
  Fingerprint fingerprint;                       // of all events, starts and their nodes

  friend bool operator==(const QueueOutcome&, const QueueOutcome&) = default;
};

}  // namespace plimsoll
