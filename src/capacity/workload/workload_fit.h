// WorkloadFit: a recorded workload as a process that can be drawn again, and drawn larger.
//
// Each queue has its own arrivals of submissions; a submission brings one job or a batch of like
// ones; what a job asks for is drawn from the jobs of its class (a queue's jobs of like size), and
// how long it runs from the same class: so sizes and run times stay together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capacity/model/training_job.h"
#include "capacity/workload/arrival_fit.h"
#include "capacity/workload/run_time_fit.h"

namespace plimsoll {

// Sizes of jobs in GPUs that are taken together: none, parts of one, 1, 2, 3-4, 5-8, 9-16, 17-32,
// 33-64, more.
inline constexpr std::size_t kSizeClasses = 10;
std::size_t SizeClassOf(const TrainingJob& job);
const char* SizeClassName(std::size_t size_class);  // "5-8"

// Jobs of one queue and size class.
struct ClassFit {
  std::size_t size_class = 0;
  std::vector<std::uint32_t> jobs;     // in the source's order
  std::vector<std::uint32_t> batches;  // sizes of the submissions, each as often as it was seen
  RunTimeFit run;
  double gpu_hours = 0;  // of all its jobs
};

struct QueueFit {
  std::uint32_t queue = 0;
  ArrivalFit arrivals;  // of submissions
  std::vector<ClassFit> classes;
};

struct WorkloadFit {
  TrainingWorkload source;  // the jobs of the window
  Window window;
  std::vector<QueueFit> queues;  // that had a job

  double offered_gpus() const;  // GPU-hours an hour of the window
};

// Jobs of one queue, user and shape whose submissions are at most this far apart are one batch.
inline constexpr Duration kBatchGap = Seconds(60);

// Takes the jobs that were submitted within `window`. REQUIRES: the window is not empty
WorkloadFit FitWorkload(const TrainingWorkload& workload, Window window);

struct WorkloadDraw {
  Window window;
  std::uint64_t seed = 1;
  std::uint64_t replication = 0;
  double scale = 1;  // of the submissions, so of the load
  ArrivalModel arrivals = ArrivalModel::kBursty;
  RunTimeModel run = RunTimeModel::kEmpirical;
};

// The same draw is the same workload. What is on record of the past (started, ended, how it
// ended) is not of the drawn jobs; deadlines and time limits are kept relative to submission, and
// a time limit is never below the run unless the source's was.
TrainingWorkload DrawWorkload(const WorkloadFit& fit, const WorkloadDraw& draw);

// The trace itself `scale` times: every job floor(scale) times, and once more with the rest as
// its probability; copies come within an hour after their original. REQUIRES: scale >= 0
TrainingWorkload ScaleTrace(const TrainingWorkload& workload, double scale, std::uint64_t seed);

// Moves a workload so that its first job is submitted at `begin`.
void ShiftTo(Instant begin, TrainingWorkload& workload);

}  // namespace plimsoll
