// OccupancyForecast: what a queue will look like in the next days, from what it was.
//
// Jobs of the past are estimated (occupancy_jobs.h). A future is drawn as days of the past in
// blocks of a few, recent ones more often, each with its own jobs at their hours, of their sizes
// and run times; runs that were cut off go on as long as others of their class did. From what runs
// and waits now a queue is played (gang_queue.h). How the queue picks is the policy whose replay
// of the past comes nearest to the past. Users who see a long queue hold back, a replay does not:
// what it waits for too much (or too little) in the past is taken off what is drawn, as a ratio.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "capacity/model/occupancy_series.h"
#include "capacity/workload/gang_queue.h"
#include "capacity/workload/occupancy_jobs.h"
#include "sim/statistics.h"

namespace plimsoll {

// What is measured of a span of steps. GPUs, or shares of the steps.
inline constexpr std::size_t kOccupancyMeasures = 9;
enum class OccupancyMeasure : std::size_t {
  kPendingMean,
  kPendingP50,
  kPendingP90,
  kIdleMean,
  kIdleP10,
  kIdleP50,
  kIdleP90,
  kSharePending,      // of steps with a GPU waited for
  kSharePendingIdle,  // and one idle
};
const char* OccupancyMeasureName(std::size_t measure);  // "pending_p50"

using OccupancyFigures = std::array<double, kOccupancyMeasures>;

// REQUIRES: pending and idle of equal size, at least one step
OccupancyFigures FiguresOf(const OccupancyPath& path);
// Of steps from ... until of the series itself.
OccupancyPath PathOf(const OccupancySeries& series, std::size_t from, std::size_t until);

struct ForecastOptions {
  std::size_t fit_steps = 0;       // of the past, from the series' begin
  std::size_t forecast_steps = 0;  // after them
  std::int64_t replications = 400;
  std::uint64_t seed = 1;
  double confidence = 0.9;  // of the intervals
  std::int32_t gpus_per_node = 8;
  QueueModel queue = {};  // plays the queue; none: GangQueue, by the policy that fits
};

struct OccupancyForecast {
  OccupancyJobs past;
  GangPolicy policy = GangPolicy::kFifo;            // of GangQueue
  OccupancyFigures fit_observed{}, fit_replayed{};  // of the past: seen, and played again
  OccupancyFigures correction{};                    // what drawn figures are multiplied by
  std::array<Interval, kOccupancyMeasures> interval{};
  OccupancyFigures median{};
  std::int64_t jobs = 0;  // of the past with a known submission
};

// REQUIRES: fit_steps >= one day of steps, forecast_steps > 0, fit_steps <= series.size()
OccupancyForecast ForecastOccupancy(const OccupancySeries& series, const ForecastOptions& options);

}  // namespace plimsoll
