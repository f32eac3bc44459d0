// Multifactor: Slurm's job priority, and the decaying usage that its fairshare factor is made of.
//
// Classic fairshare, F = 2^(-U/S): U is the queue's part of all decayed usage, S its part of all
// shares (Slurm's priority/multifactor manual). Statistics, not money: doubles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "capacity/model/training_job.h"
#include "capacity/queue/queue_options.h"
#include "units/time.h"

namespace plimsoll {

class Multifactor {
 public:
  Multifactor(const MultifactorWeights& weights, const TrainingWorkload& workload,
              std::int64_t cluster_gpu_milli);

  // Usage of the time since the last one: GPU time of each queue, any one unit.
  void AddUsage(const std::vector<std::int64_t>& by_queue, Instant now);

  // The greater goes first; millionths of the weights' unit.
  std::int64_t Priority(const TrainingJob& job, Instant waits_since, Instant now) const;

 private:
  MultifactorWeights weights_;
  std::int64_t cluster_gpu_milli_;
  std::int32_t priority_min_ = 0, priority_max_ = 0;
  std::vector<double> usage_;  // decayed to `decayed_`
  double usage_sum_ = 0, shares_sum_ = 0;
  Instant decayed_;
};

}  // namespace plimsoll
