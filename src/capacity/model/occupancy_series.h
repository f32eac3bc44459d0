// OccupancySeries: what ran and waited in one queue, step by step, without any job's name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "units/time.h"

namespace plimsoll {

// Jobs of one class of sizes at each step.
struct OccupancyClass {
  std::vector<std::int32_t> running_jobs, running_gpus, pending_jobs, pending_gpus;
};

struct OccupancySeries {
  std::string name;
  Instant begin;
  Duration step;
  std::int32_t gpus = 0;  // of the queue, throughout
  OccupancyClass small;   // jobs below kLargeFrom GPUs
  OccupancyClass large;   // the others

  static constexpr std::int32_t kLargeFrom = 8;

  std::size_t size() const { return small.running_jobs.size(); }
  std::int32_t running(std::size_t t) const {
    return small.running_gpus[t] + large.running_gpus[t];
  }
  std::int32_t pending(std::size_t t) const {
    return small.pending_gpus[t] + large.pending_gpus[t];
  }
  // Never below 0: a job that ends and one that starts in one step may both be counted.
  std::int32_t idle(std::size_t t) const { return running(t) < gpus ? gpus - running(t) : 0; }
};

}  // namespace plimsoll
