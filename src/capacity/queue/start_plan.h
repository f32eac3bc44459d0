// StartPlan: when each waiting job can start if every run ends as estimated, without moving the
// start of any job that was planned before it (conservative backfill).
//
// Holds for each node how its free GPUs, CPU and memory change over the time to come. Whole GPUs
// only; nodes that are down are no part of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "capacity/queue/gang_need.h"
#include "capacity/queue/room.h"
#include "units/time.h"

namespace plimsoll {

class StartPlan {
 public:
  // As of now; `room` outlives the plan and does not change but by what starts from it. Starts are
  // planned at now + a multiple of `resolution` (above 0).
  StartPlan(const Room& room, Instant now, Duration resolution);

  // Somebody holds these places until then; an end in the past is taken to be next.
  void AddRun(const PodShape& shape, const GangPlaces& places, Instant until);
  // The same of who has started since the plan was made.
  void AddStart(const PodShape& shape, const GangPlaces& places, Instant until);
  void Reserve(const PodShape& shape, const GangPlaces& places, Window window);

  struct Start {
    Instant at;
    GangPlaces places;
  };
  // The earliest start of all pods of the gang for that long, at `begin` or later and before
  // `until`: on the nodes with the fewest whole GPUs free now first, of equal ones the first.
  // REQUIRES: begin is no earlier than now
  std::optional<Start> Earliest(const GangNeed& need, Duration length, Window starts) const;

 private:
  struct Change {
    Instant at;
    std::int32_t gpus = 0;
    std::int64_t cpu_milli = 0, memory_mib = 0;
  };
  void Add(NodeId node, Instant at, const PodShape& shape, std::int32_t pods);
  std::int32_t SlotsDuring(NodeId node, const PodShape& shape, Window window) const;
  bool TryAt(Instant at, const GangNeed& need, Duration length, std::vector<NodeId>& order,
             GangPlaces& places) const;

  const Room& room_;
  Instant now_;
  Duration resolution_;
  std::vector<std::vector<Change>> changes_;  // by node, by time
  std::map<Instant, std::int64_t> gpus_;      // changes of all nodes together
  std::int64_t gpus_now_ = 0;                 // whole and free, of nodes that are up
};

}  // namespace plimsoll
