// Small clusters and workloads for tests of the queue.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "capacity/queue/queue_simulation.h"

namespace plimsoll::queue_fixture {

// Nodes "n0", "n1", ... with so many GPUs, in racks of `rack` nodes (0: no topology).
inline Cluster ClusterOf(const std::vector<std::int32_t>& gpus, std::size_t rack = 0,
                         std::int64_t cpu_milli = 0) {
  DomainTree tree(rack > 0 ? std::vector<std::string>{"rack"} : std::vector<std::string>{});
  std::vector<NodeSpec> nodes;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    NodeSpec node;
    node.name = "n" + std::to_string(i);
    node.gpus = gpus[i];
    node.cpu_milli = cpu_milli;
    if (rack > 0) {
      node.domains = tree.Add(std::vector<std::string>{"r" + std::to_string(i / rack)});
    }
    nodes.push_back(node);
  }
  return Cluster({"gpu"}, tree, nodes);
}

struct JobSpec {
  std::int64_t at = 0;  // minutes
  std::int32_t pods = 1, gpus = 1;
  std::int64_t run = 60;  // minutes
  std::int32_t priority = 0;
  std::uint32_t queue = 0;
};

inline TrainingJob JobOf(const JobSpec& spec) {
  TrainingJob job;
  job.submitted = AtMillis(Minutes(spec.at).base());
  job.pods = job.pods_min = spec.pods;
  job.shape.gpus = spec.gpus;
  job.run = Minutes(spec.run);
  job.priority = spec.priority;
  job.queue = spec.queue;
  return job;
}

inline TrainingWorkload WorkloadOf(const std::vector<JobSpec>& specs, std::size_t queues = 1) {
  TrainingWorkload workload;
  for (std::size_t i = 0; i < queues; ++i) workload.queues.push_back("q" + std::to_string(i));
  for (const JobSpec& spec : specs) {
    workload.jobs.push_back(JobOf(spec));
    workload.jobs.back().name = "j" + std::to_string(workload.jobs.size() - 1);
  }
  return workload;
}

// Minutes from the epoch to the first start; -1: never.
inline std::vector<std::int64_t> StartsOf(const QueueOutcome& outcome) {
  std::vector<std::int64_t> starts;
  for (const JobOutcome& job : outcome.jobs) {
    starts.push_back(job.started ? job.started->base() / 60'000 : -1);
  }
  return starts;
}

inline Instant AtMinute(std::int64_t minute) { return AtMillis(minute * 60'000); }

}  // namespace plimsoll::queue_fixture
