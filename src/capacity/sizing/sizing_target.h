// SizingTargets: what a fleet is to achieve, and how a simulated run is measured against it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "capacity/model/training_job.h"
#include "capacity/queue/queue_options.h"
#include "capacity/queue/queue_outcome.h"
#include "capacity/sizing/replication_outcome.h"
#include "units/time.h"

namespace plimsoll {

// Jobs that are judged together; a job belongs to the first class that takes it. GPUs are those of
// all its pods.
struct JobClass {
  std::string name;
  std::int64_t gpus_min = 0;
  std::int64_t gpus_max = std::numeric_limits<std::int32_t>::max();
  std::optional<std::uint32_t> queue;  // of the workload's; null: any
  // A share of its jobs, in billionths, starts within that time; null: only shown.
  std::optional<Duration> within;
  std::int64_t share = 0;
};

// A gang of that many GPUs, submitted at any time, starts within a time with a probability.
struct GangTarget {
  std::string name;
  TrainingJob job;
  Duration within;
  std::int64_t share = 0;  // billionths; 0: only shown
};

struct SizingTargets {
  std::vector<JobClass> classes;
  std::vector<GangTarget> gangs;
  std::int64_t deadline_share = 0;        // of jobs with one, in billionths; 0: only shown
  std::int64_t confidence = 950'000'000;  // of all intervals, in billionths
};

// The class that takes the job; null if none does.
std::optional<std::size_t> ClassOf(const SizingTargets& targets, const TrainingJob& job);

// What the run says of the targets. Jobs submitted before the measured window are left out; one
// that never started waits longer than any other. Where a run was cut off at a time (`cut`), jobs
// whose target or deadline lies beyond it are left out whatever became of them: to keep those that
// were quick would flatter. REQUIRES: the outcome is of this workload, with the gangs' jobs as its
// probes in their order
ReplicationOutcome MeasureRun(const SizingTargets& targets, const TrainingWorkload& workload,
                              const QueueOutcome& run, std::optional<Instant> cut);

// The probes of the targets, `epochs` each.
std::vector<ProbeSpec> ProbesOf(const SizingTargets& targets, std::int32_t epochs);

}  // namespace plimsoll
