// GridAnswer: of all fleets of a grid, the cheapest that meets the targets.
//
// Every fleet is simulated with the same random numbers. A greater fleet may do worse (Graham's
// anomalies: an early start of one job can push back another), so that nothing is inferred from a
// neighbour and such places are reported.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "capacity/sizing/demand.h"
#include "capacity/sizing/fleet_grid.h"
#include "capacity/sizing/paired_difference.h"
#include "capacity/sizing/target_result.h"

namespace plimsoll {

struct PointAnswer {
  std::size_t point = 0;
  std::int64_t gpus = 0;
  std::optional<Money> cost_per_month;
  std::vector<TargetResult> targets;
  bool met = true;         // all that are asked, by their estimates
  bool sure = true;        // ... and every interval says so too
  bool fails = false;      // one is missed for sure
  double utilization = 0;  // GPU time held by jobs, of all
  double lost = 0;         // of the held: lost to interruptions and restarts
};

// `greater` has one step more on one axis than `smaller`, and does worse on a target.
struct NonMonotone {
  std::size_t smaller = 0, greater = 0;
  TargetId target;
  PairedDifference share;  // of the replications' shares: greater - smaller
  bool turns = false;      // met by the smaller, missed by the greater
};

// So many GPUs of these axes together are needed for certain.
struct CertainBound {
  std::vector<std::size_t> axes;
  std::int64_t gpus = 0;
};

struct GridAnswer {
  std::vector<PointAnswer> points;  // of the grid, in its order
  std::optional<std::size_t> best;  // the least cost (of GPUs, if some cost is unknown) that meets
  std::optional<std::size_t> best_sure;
  bool by_cost = true;
  bool holds_above = true;  // every fleet of the grid that has all of `best` meets too
  std::vector<NonMonotone> non_monotone;  // beyond chance, or that turn a verdict
};

// `outcomes` by item (shard.h). A fleet below a certain bound that met its targets would be a bug
// of the simulation, and ends the program. REQUIRES: as many outcomes as points x replications
GridAnswer AnswerGrid(const FleetGrid& grid, const SizingTargets& targets,
                      std::span<const ReplicationOutcome> outcomes,
                      std::span<const CertainBound> bounds);

// The jobs whose time is up for certain where a target is all of a class, or all deadlines: from
// them follow bounds that hold in every run of the same jobs. Waits bind only where nothing is
// interrupted; elastic jobs are left out.
std::vector<Demand> CertainDemand(const SizingTargets& targets, std::span<const TrainingJob> jobs,
                                  bool is_interrupted);

}  // namespace plimsoll
