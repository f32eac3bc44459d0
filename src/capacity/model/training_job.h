// TrainingJob: a batch workload as a queue sees it, and what became of it where that is on record.
//
// A gang of equal pods that starts as a whole. What is not known is null, never a guess.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/model/domain_tree.h"
#include "capacity/model/pod_shape.h"
#include "units/time.h"

namespace plimsoll {

enum class TopologyMode : unsigned char { kNone, kRequired, kPreferred };

// Where the pods of a gang must lie. Slices: groups of `slice_pods` pods, each within one domain
// of slice_level; 0 is none.
struct TopologyRequest {
  TopologyMode mode = TopologyMode::kNone;
  std::uint32_t level = 0;        // of the cluster's tree
  std::int32_t slice_pods = 0;    // divides the number of pods
  std::uint32_t slice_level = 0;  // as deep as `level`, or deeper

  friend bool operator==(const TopologyRequest&, const TopologyRequest&) = default;
};

// How a run survives that it is interrupted. A run without an interval starts anew.
struct CheckpointPlan {
  std::optional<Duration> interval;
  Duration write;    // of one checkpoint; training stands still
  Duration restart;  // from the interruption's end to the first useful step
  Duration warm_up;  // images and data, before the first step of each start

  friend bool operator==(const CheckpointPlan&, const CheckpointPlan&) = default;
};

enum class JobEnd : unsigned char { kUnknown, kCompleted, kFailed, kCancelled, kTimeout };

struct TrainingJob {
  std::string name;
  std::string user;
  std::uint32_t queue = 0;    // index into the workload's queues
  std::int32_t priority = 0;  // the greater goes first
  Instant submitted;          // when it could have started first (Slurm: Eligible)
  PodShape shape;
  std::int32_t pods = 1;
  std::int32_t pods_min = 1;  // elastic: it starts with as few; as many as pods: rigid
  TopologyRequest topology;
  std::vector<std::uint32_t> flavor_order;  // preferred first; empty: any that the shape accepts
  Duration run;                             // useful work with all pods, no interruption
  std::optional<Duration> time_limit;       // what a backfill scheduler is told
  std::optional<Instant> deadline;
  bool preemptible = true;
  CheckpointPlan checkpoint;

  std::optional<Instant> started;  // on record: the first start
  std::optional<Instant> ended;    // on record: null where it still ran
  JobEnd end = JobEnd::kUnknown;
};

constexpr std::int64_t GpuMilli(const TrainingJob& job) { return job.pods * GpuMilli(job.shape); }

// A trace, a history or a drawn month: jobs in the order of `submitted`, of equal ones in that of
// the source.
struct TrainingWorkload {
  std::vector<std::string> queues;
  std::vector<TrainingJob> jobs;
};

// Jobs of a workload that names no queues are in one.
inline std::size_t QueuesOf(const TrainingWorkload& workload) {
  return workload.queues.empty() ? 1 : workload.queues.size();
}

}  // namespace plimsoll
