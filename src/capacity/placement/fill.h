// Fill: how much of a cluster's GPUs a node policy gets to allocate while it fills up.
//
// The experiment of Weng et al. (USENIX ATC 2023): pods of a list arrive in random order, then
// more of them drawn at random, until they ask for `fill_percent` of all GPUs; each is placed at
// once or lost, none ends. Nodes without GPUs take part with their CPUs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "capacity/model/cluster.h"
#include "capacity/placement/fragmentation.h"
#include "capacity/placement/node_score.h"

namespace plimsoll {

struct FillOptions {
  PlacementPolicy policy = PlacementPolicy::kFgd;
  std::int64_t fill_percent = 130;
  std::uint64_t seed = 42;  // runs have seed, seed + 1 ...
  std::int64_t runs = 10;   // each with its own arrivals and order of nodes
  unsigned threads = 0;     // 0: one a core; no answer depends on it
  std::int64_t typical_percent = 95;
};

// The cluster when the pods that had arrived asked for this percent of its GPUs.
struct FillPoint {
  std::int64_t arrived_percent = 0;
  std::int64_t allocated_milli = 0;
  Fragmentation fragmentation;
};

struct FillRun {
  std::uint64_t seed = 0;
  std::int64_t pods_arrived = 0;
  std::int64_t pods_placed = 0;
  std::int64_t gpu_milli_asked = 0;
  // Ascending, of every run the same percents; the last is the end. One that no arrival reached is
  // as the end is.
  std::vector<FillPoint> points;
};

// Figures of points are billionths of a percent.
enum class FillFigure : unsigned char {
  kAllocated,   // GPUs that pods hold, in percent of all
  kFragmented,  // idle GPUs that the typical pods could not use, in percent of all
  kRatio,       // the same in percent of the idle ones
};

struct FillOutcome {
  std::int64_t gpu_milli = 0;  // of the cluster
  TypicalPods typical;
  std::vector<FillRun> runs;  // by seed

  std::int64_t FigureOf(const FillPoint& point, FillFigure figure) const;
  // Of points[at] of all runs: mean, and the runs' deviation (unbiased); null of one run.
  struct Spread {
    std::int64_t mean = 0;
    std::optional<std::int64_t> deviation;
  };
  Spread SpreadOf(std::size_t at, FillFigure figure) const;
  // Idle GPU in percent of all that is in this class at the end, mean of runs.
  std::int64_t IdleIn(IdleClass idle) const;
};

// Points are at 50, 80, 90, 95, 100, 110 and 120 % as far as they come before the end.
// Fails with kInvalidArgument where no node has GPUs, no pod asks for one, or the list is so small
// beside the cluster that more than kFillPodsMax pods would arrive.
Result<FillOutcome> RunFill(const Cluster& empty, std::span<const PodShape> pods,
                            const FillOptions& options);

inline constexpr std::int64_t kFillPodsMax = 20'000'000;

// The order of arrival of one run. REQUIRES: some pod asks for GPUs
std::vector<std::uint32_t> FillArrivals(std::span<const PodShape> pods, std::int64_t gpu_milli,
                                        std::uint64_t seed);

}  // namespace plimsoll
