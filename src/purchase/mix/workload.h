// Workloads as a purchase is planned for them: what they need, when, and what they tolerate.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "purchase/spot/lifetime.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

enum class WorkloadKind : unsigned char { kTraining, kInference, kBatch, kDevelopment };
inline constexpr const char* kWorkloadKindNames[] = {"training", "inference", "batch",
                                                     "development"};

enum class LatencyClass : unsigned char { kLatencyCritical, kInteractive, kBatch };
inline constexpr const char* kLatencyClassNames[] = {"latency-critical", "interactive", "batch"};

// A run that comes again every `every`, on all its nodes at once.
struct WorkloadRun {
  std::int64_t nodes = 1;
  Duration work;                     // without interruption, above 0
  Duration every;                    // whole hours, above 0
  Duration start;                    // of the first one, after the plan's hour 0
  std::optional<Duration> deadline;  // from its start
};

struct MixWorkload {
  std::string name, flavor;
  WorkloadKind kind = WorkloadKind::kTraining;
  LatencyClass latency = LatencyClass::kBatch;
  bool interruptible = false;
  // Either a run, or instances in unit-milliseconds of an hour (kUnitHour is one), hour by hour
  // from hour 0 on and then again from the begin.
  std::optional<WorkloadRun> run;
  std::vector<std::int64_t> demand;
  std::int64_t on_demand_floor = 0;  // instances that are never on spot

  Duration save;                    // to write a checkpoint; 0: it has none
  Duration interval;                // between checkpoints; 0: the best one
  Duration restart;                 // from capacity until it works again
  Duration item;                    // of demand: work that is lost if it is not saved
  Money penalty, penalty_per_hour;  // of a run that misses its deadline; once, and by the hour
  Money waiting;                    // value of an instance-hour of demand that comes late
  Money people_per_eviction;        // of a run
  std::vector<std::string> spot_flavors;  // in place of its own, where they are capped by it
};

// What a flavor is sold for; null is not known, which is not 0.
struct MixFlavor {
  std::string name;
  std::optional<Money> on_demand, spot;  // of an instance-hour
  std::optional<Lifetime> lifetime;      // of one spot instance
  Duration wait;                         // for spot capacity after an eviction
};

// Hours until all workloads begin anew: the least common multiple of their periods, 24 at least.
// Null past kMixHoursMax.
inline constexpr std::int64_t kMixHoursMax = 43'920;
std::optional<std::int64_t> CycleHours(const std::vector<MixWorkload>& workloads);

// Its use off spot, in unit-milliseconds, for each of so many hours; of a run, its nodes while it
// works. REQUIRES: hours is a multiple of its period
std::vector<std::int64_t> UseOf(const MixWorkload& workload, std::int64_t hours);

}  // namespace plimsoll
