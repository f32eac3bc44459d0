// TraceSummary: what a policy cost over many starts of the job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "purchase/spot/trace_job.h"

namespace plimsoll {

struct TraceSummary {
  std::int64_t starts = 0;
  Money mean, sd;  // sd of all starts, as a population
  Money p90, p99;  // as published: of 1000 starts the one with 900, with 990 cheaper
  std::int64_t late = 0;
  std::int64_t unfinished = 0;         // of the late: the trace ended first
  Duration on_demand_time, spot_time;  // means
  std::int64_t preemptions = 0;        // of all starts
};

// Rounded half to even. Without outcomes all is 0.
TraceSummary SummarizeOutcomes(std::span<const TraceOutcome> outcomes, const TraceJob& job);

// How much of the way from `from` to `best` a cost is, in billionths: 1e9 is the best. Null if
// there is no way to go.
std::optional<std::int64_t> GapClosed(Money cost, Money from, Money best);

// Ticks at which the job can begin so that the trace lasts to its deadline.
// REQUIRES: gap > 0
std::vector<std::int64_t> StartsWithRoom(std::int64_t ticks, Duration gap, Duration deadline);

// At most `most` of `starts`, evenly spread: all if there are no more.
// REQUIRES: most > 0
std::vector<std::int64_t> EvenStarts(std::span<const std::int64_t> starts, std::size_t most);

// `count` of `starts`, each drawn anew: the same on any machine (SplitMix64 of the seed).
// REQUIRES: starts are not empty
std::vector<std::int64_t> RandomStarts(std::span<const std::int64_t> starts, std::int64_t count,
                                       std::uint64_t seed);

}  // namespace plimsoll
