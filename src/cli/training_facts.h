// TrainingFacts: the jobs and nodes of the database as a queue sees them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "capacity/model/node_group.h"
#include "capacity/model/training_job.h"
#include "cli/context.h"
#include "ledger/facts.h"

namespace plimsoll {

struct TrainingFacts {
  TrainingWorkload workload;                     // shapes take the flavors of `cluster`
  ClusterSpec cluster;                           // nodes that were there at the end of the window
  std::map<std::string, std::int64_t> left_out;  // holders that are no such jobs: why, how many
  std::int64_t waits_unknown = 0;                // jobs whose submission is not on record
};

// A Slurm job, or what one Kubernetes owner of a batch kind started, that began within `window`
// and ended. Its pods are those of its first start: what began within ten minutes of the first.
// Its run is the time during which it held anything, and it accepts the GPU models that it ran on.
// A job whose submission is not on record is submitted at its start, which is then not told: its
// wait is unknown. Levels of the tree are known topology labels.
TrainingFacts TrainingFactsOf(const OccupancyFacts& occupancy, Window window);

// Fails with kNotFound if there are no jobs, or no nodes with GPUs.
Result<TrainingFacts> GatherTrainingFacts(Context& context, Window window);

}  // namespace plimsoll
