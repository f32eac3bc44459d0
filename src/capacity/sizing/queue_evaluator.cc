#include "capacity/sizing/queue_evaluator.h"

#include <memory>
#include <utility>

namespace plimsoll {

Evaluator EvaluateQueue(QueueQuestion question) {
  const auto shared = std::make_shared<const QueueQuestion>(std::move(question));
  return [shared](std::size_t point, std::int64_t replication) {
    const SimulatedFleet& fleet = shared->fleets.at(point);
    const QueueSeed seed{shared->seed, static_cast<std::uint64_t>(replication)};
    const TrainingWorkload workload = shared->workload(point, seed.replication);
    const QueueOutcome run = shared->simulate(fleet.cluster, workload, fleet.options, seed);
    return MeasureRun(shared->targets, workload, run, fleet.options.until);
  };
}

}  // namespace plimsoll
