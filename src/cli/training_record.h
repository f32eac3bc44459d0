// TrainingRecord: what jobs on record waited, beside what the simulator says of the same jobs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capacity/queue/queue_outcome.h"
#include "capacity/sizing/sizing_target.h"
#include "cli/table.h"

namespace plimsoll {

inline constexpr std::array kRecordQuantiles = {0.5, 0.9, 0.95};

// Of the jobs of a class or a queue whose wait is on record.
struct RecordRow {
  bool is_queue = false;  // else a class
  std::string name;
  std::int64_t jobs = 0;
  std::array<Duration, 3> recorded;                  // by kRecordQuantiles, of nearest rank
  std::array<std::optional<Duration>, 3> simulated;  // null: a job that did not start
};

// `run` is the workload, replayed. Jobs before `from` are left out, for a simulation begins with
// an empty cluster. Classes, then queues; those without such a job are left out.
std::vector<RecordRow> CompareWithRecord(const SizingTargets& targets,
                                         const TrainingWorkload& workload, const QueueOutcome& run,
                                         Instant from);

// Table `record`.
Table RecordTable(const std::vector<RecordRow>& rows, bool for_people);

}  // namespace plimsoll
