// NaiveAllocation: a second allocator, written from the rules alone (docs/decisions/0002), to
// check the first. Walks minutes, keeps everything in maps, divides with plain loops. Knows
// only what RandomFleet makes: whole GPUs, evidence for every holder, one billing scope.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "property/random_fleet.h"

namespace plimsoll {

// (hour, node, workload, class) -> GPU-ms and nanos by column; workload "" is nobody.
using NaiveKey = std::tuple<Instant, std::string, std::string, CostClass>;
struct NaiveLine {
  std::int64_t gpu_millis = 0;
  int128 gpu = 0, cpu = 0, memory = 0, overhead = 0;
  friend bool operator==(const NaiveLine&, const NaiveLine&) = default;
};
using NaiveLines = std::map<NaiveKey, NaiveLine>;

NaiveLines AllocateNaively(const RandomFleet& fleet);

}  // namespace plimsoll
