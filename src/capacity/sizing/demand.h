// Demand: a job as the bounds on a fleet see it: what it needs, from when, until when.
//
// Jobs without GPUs are no demand. GPUs are thousandths of one, so that shared ones count.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capacity/model/training_job.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

struct Demand {
  Instant release;
  Duration run;                  // with all of its pods
  std::int64_t gpu_milli = 0;    // of all of its pods
  std::int64_t start_milli = 0;  // of the fewest pods that it starts with
  FlavorSet flavors = kAnyFlavor;
  std::optional<std::uint32_t> level;  // it lies within one domain of that level
  std::optional<Instant> due;          // when it must have ended
};

std::vector<Demand> DemandOf(std::span<const TrainingJob> jobs);

// The same jobs, each due when it would end after a wait of `wait`, or at its own deadline if that
// is earlier.
std::vector<Demand> DueWithin(std::vector<Demand> demands, Duration wait);

// From the first release to the last one; empty of fewer than two releases.
Window ReleaseWindow(std::span<const Demand> demands);

// What the jobs need of GPUs times time, in thousandths of a GPU times milliseconds.
int128 WorkOf(std::span<const Demand> demands);

}  // namespace plimsoll
