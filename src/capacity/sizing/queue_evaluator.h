// QueueEvaluator: the fleets of a grid, simulated by capacity/queue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "capacity/queue/queue_simulation.h"
#include "capacity/sizing/replication_outcome.h"
#include "capacity/sizing/sizing_target.h"

namespace plimsoll {

// Options depend on the fleet: risks by its flavors, maintenance and spares by its nodes.
struct SimulatedFleet {
  Cluster cluster;
  QueueOptions options;  // its probes are those of the targets
};

struct QueueQuestion {
  std::vector<SimulatedFleet> fleets;  // by point
  // The jobs of a replication, in the order of submission: the same for all fleets but for what a
  // point changes of them.
  std::function<TrainingWorkload(std::size_t point, std::uint64_t replication)> workload;
  SizingTargets targets;
  std::uint64_t seed = 1;
  std::function<QueueOutcome(const Cluster&, const TrainingWorkload&, const QueueOptions&,
                             QueueSeed)>
      simulate;  // SimulateQueue, but for tests
};

// Safe to call from several threads. REQUIRES: input that CheckQueueInput accepts
Evaluator EvaluateQueue(QueueQuestion question);

}  // namespace plimsoll
