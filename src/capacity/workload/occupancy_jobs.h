// OccupancyJobs: jobs estimated from a series that counts them but names none.
//
// Between two steps a class gains and loses jobs and GPUs. The fewest events that explain both
// are taken: a gain of n jobs and g GPUs is n arrivals of g / n GPUs, a change of GPUs alone one
// that came and one that left. What leaves the queue starts (and what ran till then ends in the
// same step) unless no running job could have made room: then it was cancelled. Starts are in order
// of arrival; of several running jobs of a size any may have ended. So numbers, sizes and the sums
// of waits and runs are those of the series (Little's law), and which of equal jobs ended is a
// guess. Jobs that came and went within one step are unseen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "capacity/model/occupancy_series.h"

namespace plimsoll {

struct EstimatedJob {
  std::int32_t gpus = 0;
  std::optional<Instant> submitted;  // null: it was there when the series began
  std::optional<Instant> started;    // null: it waited at the end, was cancelled, or ran at begin
  std::optional<Instant> ended;      // null: it still ran at the end
  bool cancelled = false;            // left the queue without a start
};

struct OccupancyJobs {
  Window window;
  std::vector<EstimatedJob> jobs;  // by submission; those of unknown submission first
  std::int64_t steps_of_one = 0;   // steps with a change that one job explains
  std::int64_t steps_of_more = 0;  // with one that several equal jobs, or several classes, explain
};

// From step `from` on, up to before `until`. REQUIRES: from < until <= series.size()
OccupancyJobs EstimateJobs(const OccupancySeries& series, std::size_t from, std::size_t until,
                           std::uint64_t seed);

}  // namespace plimsoll
