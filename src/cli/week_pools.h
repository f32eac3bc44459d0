// WeekPools: the nodes of each cluster and GPU model through a week, who held what of them, and
// what the idle rest was good for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "catalog/catalog.h"
#include "cli/week_jobs.h"
#include "ledger/facts.h"
#include "report/capacity_week.h"

namespace plimsoll {

struct WeekPools {
  std::vector<PoolWeek> pools;  // by cluster and GPU model
  std::vector<CausesOfCluster> causes;
  std::vector<UnfitJobs> unfit;  // at the week's end
  std::int64_t overbooked = 0;
};

// Nodes exist as their rows say, and are up where their states say nothing else; a holding has
// what it says, as far as its node has as much left. Idle time is measured exactly, change by
// change. A wait is laid to what was idle in its own pool at each moment (of a job that has
// not begun: in the best pool of its cluster), GPUs alone, each job as if it were the only one
// that waits. A pool's typical pods are the GPU pods that touch the window.
WeekPools WeekPoolsOf(const OccupancyFacts& facts, const std::vector<WeekJob>& jobs,
                      const Catalog& catalog, Window window);

}  // namespace plimsoll
