// A series made of jobs that are known, in tests of what is estimated from series.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "capacity/model/occupancy_series.h"

namespace plimsoll {

struct KnownJob {
  std::int64_t submit = 0, start = 0, end = 0;  // in steps
  std::int32_t gpus = 0;
};

inline void Count(std::vector<std::int32_t>& jobs, std::vector<std::int32_t>& gpus,
                  std::int64_t from, std::int64_t until, std::int32_t size) {
  for (std::int64_t t = std::max<std::int64_t>(from, 0);
       t < until && t < static_cast<std::int64_t>(jobs.size()); ++t) {
    jobs[static_cast<std::size_t>(t)] += 1;
    gpus[static_cast<std::size_t>(t)] += size;
  }
}

inline OccupancySeries SeriesOf(const std::vector<KnownJob>& jobs, std::size_t steps,
                                std::int32_t gpus) {
  OccupancySeries series;
  series.name = "vc";
  series.begin = AtMillis(0);
  series.step = Minutes(1);
  series.gpus = gpus;
  for (OccupancyClass* of : {&series.small, &series.large}) {
    for (auto* column :
         {&of->running_jobs, &of->running_gpus, &of->pending_jobs, &of->pending_gpus}) {
      column->assign(steps, 0);
    }
  }
  for (const KnownJob& job : jobs) {
    OccupancyClass& of = job.gpus >= OccupancySeries::kLargeFrom ? series.large : series.small;
    Count(of.pending_jobs, of.pending_gpus, job.submit, job.start, job.gpus);
    Count(of.running_jobs, of.running_gpus, job.start, job.end, job.gpus);
  }
  return series;
}

}  // namespace plimsoll
