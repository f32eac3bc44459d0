// SimulateQueue: a cluster, its jobs and the queue's rules over time, event by event.
//
//   const QueueOutcome outcome = SimulateQueue(cluster, workload, options, {seed, replication});
//
// Whole milliseconds. What happens at one instant happens before the queue is looked at once. A
// gang starts as a whole or not at all; an interruption throws all of it back to its last
// checkpoint. The same arguments give the same outcome, on any machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "capacity/model/cluster.h"
#include "capacity/model/training_job.h"
#include "capacity/queue/queue_options.h"
#include "capacity/queue/queue_outcome.h"

namespace plimsoll {

// Streams of (seed, replication): "failures NODE" and "repairs NODE", "evictions NODE" and "returns
// NODE", "domain failures RISK DOMAIN" and "domain repairs RISK DOMAIN" (numbers, of
// RiskModel::domains and in the tree), "probes". More nodes leave the failures of the others as
// they were, and so do repairs that take longer.
struct QueueSeed {
  std::uint64_t seed = 1;
  std::uint64_t replication = 0;
};

// Fails with kInvalidArgument, naming the job or the option and the remedy: jobs out of order, no
// pods, levels, queues, nodes or flavors that do not exist, options that exclude each other.
Status CheckQueueInput(const Cluster& cluster, const TrainingWorkload& workload,
                       const QueueOptions& options);

// REQUIRES: an empty cluster; input that CheckQueueInput accepts
QueueOutcome SimulateQueue(const Cluster& cluster, const TrainingWorkload& workload,
                           const QueueOptions& options, QueueSeed seed);

}  // namespace plimsoll
