// Job progress: how long a start of a training job lasts, and what it leaves if it is cut short.
//
// A start warms up, restores (not the first one), then works and writes checkpoints in turn; the
// end of the work is not written. Work is counted in pod-milliseconds, so that a gang with fewer
// pods takes longer by their ratio, rounded up to the millisecond.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "capacity/model/training_job.h"
#include "capacity/queue/queue_outcome.h"
#include "units/time.h"

namespace plimsoll {

struct JobStart {
  CheckpointPlan checkpoint;
  bool restores = false;  // it has started before
  std::int64_t left = 0;  // pod-milliseconds of work
  std::int32_t pods = 1;  // above 0
};

// The work of a whole run.
constexpr std::int64_t PodMillis(const TrainingJob& job) { return job.run.base() * job.pods; }

// From the start to the end of the work, with nothing in between.
Duration WallTime(const JobStart& start);

// What `elapsed` of a start was for, in wall time by GpuUse, and how much of the work counts.
struct JobStay {
  std::array<Duration, kGpuUses> by_use{};  // adds up to `elapsed`
  std::int64_t done = 0;                    // pod-milliseconds that need not be done again
};
// Of a start that is cut short: work since the last whole checkpoint is lost.
// REQUIRES: elapsed <= WallTime
JobStay Interrupted(const JobStart& start, Duration elapsed);
// Of one that goes on or is done: all work counts.
JobStay Continued(const JobStart& start, Duration elapsed);

}  // namespace plimsoll
