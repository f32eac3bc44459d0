// CapacityWeek: how long the week's GPU jobs waited, what the idle GPUs were good for, and which
// waiting jobs they could not serve, as the report is given it. Who builds the report gathers it.
//
// Waits are from when a job could have started (Slurm: eligible; Kubernetes: created) to the
// start of the last pod of its gang. Amounts of GPUs are thousandths of one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "units/quantity.h"
#include "units/time.h"

namespace plimsoll {

// Of nearest rank: waits that somebody had.
struct WaitQuantiles {
  Duration p50, p90, p95, max;
  // Hold the 95th percentile with 95 % confidence, whatever the distribution (order statistics);
  // null where there are too few waits.
  std::optional<Duration> p95_low, p95_high;
};

// Jobs of one class: of one size, or of one queue.
struct WaitsOfJobs {
  std::string cluster, queue;          // "" of a size
  std::string size;                    // "2-7" GPUs; "" of a queue
  std::int64_t started = 0;            // in the week, with a wait that is known
  std::int64_t unknown = 0;            // in the week, and nothing tells since when they waited
  std::int64_t waiting = 0;            // at the week's end
  std::optional<WaitQuantiles> waits;  // of `started`
  GpuHours waited;                     // what they asked for x their wait within the week
};

// What the idle GPUs of the time say of a wait.
enum class WaitCause : unsigned char {
  kTooFewIdle,  // fewer GPUs idle than the job needs
  kScattered,   // enough idle, but not as many nodes with enough on each
  kRoomEnough,  // its nodes were there: order, quota, or a scheduler that had not looked yet
  kUnknown,     // what it needs on one node is not on record
};
inline constexpr std::size_t kWaitCauses = 4;

struct CausesOfCluster {
  std::string cluster;
  std::array<GpuHours, kWaitCauses> waited{};
};

// What a scheduler said itself of a job that waits.
struct WaitReason {
  std::string cluster, reason;  // reason "" where it said none
  std::int64_t jobs = 0, gpu_milli = 0;
};

// Gangs of `gpus` GPUs that start at the week's end.
struct GangsOfSize {
  std::int64_t gpus = 0;  // of one gang, in `pods` pods
  std::int64_t pods = 0;
  std::int64_t by_idle = 0;    // as many as idle GPUs would make
  std::int64_t on_nodes = 0;   // as many as have nodes for all of their pods
  std::string level;           // "zone", "rack"; "" if nothing tells where nodes lie
  std::int64_t in_domain = 0;  // as many as lie each in one domain of the level
};

struct LargestRoom {
  std::string level;  // "node", "rack", "zone"
  std::int64_t gpus = 0;
};

// Nodes of one cluster and GPU model.
struct PoolWeek {
  std::string cluster, gpu_model;
  bool is_mig = false;               // cards are cut: nothing but sums of idle parts is known
  std::int64_t nodes = 0, gpus = 0;  // at the week's end; the rest is too, but for the means
  std::int64_t idle_milli = 0;       // of nodes that are up
  std::int64_t down_milli = 0;       // free, of nodes that are not
  std::int64_t idle_mean_milli = 0;  // by time
  // Billionths of the idle GPUs that the pods of the week cannot use (the fragmentation ratio);
  // null where no GPU pod ran there, and with is_mig; 0 where nothing is idle.
  std::optional<std::int64_t> unusable_ppb, unusable_mean_ppb;
  // What stands between the idle GPUs and one more pod of the typical shape that asks for the most
  // GPUs; adds up to idle_milli. pod_gpus 0: no GPU pod ran there.
  std::int64_t pod_gpus = 0, pod_cpu_milli = 0;
  std::int64_t fractional_milli = 0, stranded_milli = 0, lacks_cpu_milli = 0, usable_milli = 0;
  std::vector<LargestRoom> largest;  // whole idle GPUs in one domain, the node first
  std::vector<GangsOfSize> gangs;
};

// Jobs that wait at the week's end although as many GPUs as one needs are idle in one pool.
struct UnfitJobs {
  std::string cluster, gpu_model;
  std::int64_t jobs = 0;
  std::int64_t gpus = 0;        // of one job
  std::int64_t pods = 0;        // with gpus / pods on one node each
  std::int64_t idle_milli = 0;  // of the pool
  std::int64_t slots = 0;       // pods that find a node
};

struct CapacityWeek {
  Instant until;  // the end of the week, or of the data in it: what "at the end" means
  std::vector<WaitsOfJobs> by_size, by_queue;
  std::int64_t service_pods = 0;  // that began in the week: work without an end, no job
  std::vector<CausesOfCluster> causes;
  std::vector<WaitReason> reasons;
  std::vector<PoolWeek> pools;
  std::vector<UnfitJobs> unfit;
  bool has_kueue = false;       // some quota was reserved by Kueue
  std::int64_t overbooked = 0;  // holdings that found less on their node than they say to hold
};

}  // namespace plimsoll
