// FitPool: what traces and lifetimes say of one pool of spot capacity, and which pool is better.
//
// Pings and held instances are evidence of different things: they are figured and ranked apart.
// Price is beside the ranking, never in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/availability_trace.h"
#include "purchase/spot/fit_lifetime.h"

namespace plimsoll {

// One pool's observations of one kind.
struct PoolEvidence {
  SpotPool pool;
  SpotObservation observed = SpotObservation::kPings;
  LifetimeSample up;    // runs with enough instances, or lifetimes of instances
  LifetimeSample down;  // runs without
  Duration up_time, seen_time;
  std::int64_t taken = 0;           // instances that left; of pings runs that ended
  Duration instance_time;           // all instances added up
  std::int64_t short_lives = 0;     // lifetimes left out as failed creations
  std::int64_t capped_lives = 0;    // lifetimes ended by a provider's cap, as asked for
  std::int64_t near_cap_lives = 0;  // lifetimes that may have been
  Money price_sum;
  std::int64_t prices = 0;  // known ones
};

struct EvidenceOptions {
  std::int32_t nodes = 1;            // the job runs with at least so many instances
  Duration shortest = Duration();    // lifetimes below it are failed creations
  std::optional<Duration> cap = {};  // lifetimes from it on were ended by the provider's rule
};

// Runs of a trace; the last one is cut off, as the trace ends within it. Runs of one instance out
// of a held set of many say nothing of an instance: such a set gives the rate of those that left
// only. Where lifetimes of the set are known too, pass kCountsOnly: they are added by AddLifetimes.
enum class TraceUse : unsigned char { kAll, kCountsOnly };
void AddTrace(const AvailabilityTrace& trace, const EvidenceOptions& options, TraceUse use,
              PoolEvidence& evidence);
void AddLifetimes(const InstanceLifetimes& lifetimes, const EvidenceOptions& options,
                  PoolEvidence& evidence);

struct PoolFigures {
  std::int64_t rank = 0;                                // among those observed alike
  std::optional<std::int64_t> availability;             // billionths of the time
  std::optional<Duration> mean_up, mean_down;           // of runs, cut off or not
  std::optional<std::int64_t> taken_per_instance_hour;  // billionths
  std::optional<Survival> interval, run;                // Kaplan-Meier; null without single runs
  std::optional<ExponentialFit> exponential;
  std::optional<WeibullFit> weibull;
  std::optional<Money> price;  // mean of the known ones; of one instance for an hour
};

// Survival for as long as a checkpoint interval, and as a run.
PoolFigures FiguresOf(const PoolEvidence& evidence, Duration interval, Duration run);

// Best first within each kind of observation, held instances before pings: by the lower end of the
// interval of a run's survival, so that two lucky instances do not win; where there are no runs as
// long, by the exponential fit at its lower mean. Then by survival of an interval, availability.
// Sets the ranks; returns indices into `figures`.
std::vector<std::size_t> RankPools(std::span<const PoolEvidence> evidence,
                                   std::span<PoolFigures> figures, Duration run);

}  // namespace plimsoll
