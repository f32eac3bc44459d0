// SchedulerEvents: what the schedulers know of a run's attempts, from what its jobs and pods
// held.
//
// A log that was cut off by a failure tells none; the scheduler that requeued the job or made
// new pods does. Worked out when it is asked for; nothing of it is stored a second time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/holding.h"
#include "model/run.h"

namespace plimsoll {

// A holding is the run's if its labels name the run (plimsoll.io/run), else by the first of
// these that the run states: `job` (Slurm, its het components too), `workload`, `pod`; the
// cluster and namespace too where both sides state them.
//
// An attempt is what began before a failure of it; what begins at or after that is the next
// one, and so is what begins after all of it ended. Per attempt, from 0 in order of time, rows
// of source "slurm" or "kubernetes" (snapshot_id 0):
//   start    when its first holding began; `gpus` held by it, null where slices add up to none
//   failure  the first end of a holding that was no success: `name` is the reason (NodeLost,
//            Preempted, Evicted, Requeued, OutOfMemory, Failed...)
//   stop     else the last end: `name` is completed, cancelled or timeout
// A holding that goes on has neither. Rows come in order of (source, run, attempt, at).
RunEventBatch SchedulerEvents(const RunBatch& runs, const HoldingBatch& holdings);

}  // namespace plimsoll
