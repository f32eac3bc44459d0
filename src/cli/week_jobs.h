// WeekJobs: the GPU jobs of a week and their waits, from the facts of who held and who waits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ledger/facts.h"
#include "report/capacity_week.h"

namespace plimsoll {

// One start of a job, or one that has not come yet.
struct WeekJob {
  std::string cluster, queue, name;
  std::optional<Instant> queued;  // null: nothing tells it
  std::optional<Instant> begin;   // of the last pod; null: it still waits
  std::int64_t gpu_milli = 0;     // of all pods
  std::int64_t pods = 1;
  std::int64_t pod_milli = 0;      // of the largest; 0: not on record
  std::int64_t pod_cpu_milli = 0;  // likewise
  std::string node;                // of one of its pods; "" before it began
  std::string reason;              // that the scheduler gave for its wait, or ""
  std::int64_t count = 1;          // alike: tasks of an array that waits

  // The part of its wait that lies in `window`; empty without any.
  Window WaitIn(Window window) const;
  bool WaitsAt(Instant time) const {
    return queued && *queued < time && (!begin || *begin >= time);
  }
};

struct WeekJobs {
  std::vector<WeekJob> jobs;
  std::int64_t service_pods = 0;  // GPU pods of services that began in the window
};

// A run of a Slurm job, or the pods of one Kubernetes owner that were made within ten minutes of
// the first: the gang has begun when all of them have. Of every holding the row of the best source
// counts (rule S2 of allocation). Owners that run for good are no jobs. In order of their wait.
WeekJobs WeekJobsOf(const OccupancyFacts& facts, Window window);

// "1", "2-7", "8", "9-31", "32+", and "<1" of parts of one GPU.
const char* SizeClassOf(std::int64_t gpu_milli);

// By size, then by queue; only classes that have jobs. A wait counts in the window where it ended.
std::vector<WaitsOfJobs> WaitsBySize(const std::vector<WeekJob>& jobs, Window window);
std::vector<WaitsOfJobs> WaitsByQueue(const std::vector<WeekJob>& jobs, Window window);

// Of those that wait at `time`.
std::vector<WaitReason> ReasonsAt(const std::vector<WeekJob>& jobs, Instant time);

}  // namespace plimsoll
