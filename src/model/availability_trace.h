// AvailabilityTrace, InstanceLifetimes, SpotAdvice: what was seen of spot capacity.
//
// Three kinds of observation that say different things and are never added up: pings (could an
// instance be launched now), held instances (how long one that ran was let run), and a
// provider's own monthly statistic.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

enum class SpotObservation : unsigned char {
  kPings,  // an instance could be launched at that tick
  kHeld,   // an instance ran at that tick
};
inline constexpr const char* kSpotObservationNames[] = {"pings", "held"};

// Whose capacity: "" is not told.
struct SpotPool {
  std::string cloud;  // "aws", "gcp"
  std::string zone;   // "us-west-2a"; of some sources a region
  std::string sku;    // "v100x1", "p3.2xlarge"

  friend auto operator<=>(const SpotPool&, const SpotPool&) = default;
};

// One pool sampled at a constant step. Tick i is [i * gap, (i + 1) * gap) after `begin`.
struct AvailabilityTrace {
  std::string name;  // the file's, without folder and ending
  SpotPool pool;
  SpotObservation observed = SpotObservation::kPings;
  Duration gap;
  std::optional<Instant> begin;
  std::vector<std::int32_t> instances;  // 0 is none; of pings of one instance 0 or 1
  // Of one instance for an hour, as many as instances, or empty if the source tells none.
  // Null is unknown: NaN, an empty field. Never 0 for it.
  std::vector<std::optional<Money>> prices;
};

// How long instances that were given ran.
struct InstanceLifetimes {
  std::string name;
  SpotPool pool;
  std::vector<Duration> lifetime;
  std::vector<std::uint8_t> preempted;  // 1; 0: still ran when last seen (censored)
};

// AWS Spot Advisor: one row of it. A share of a month's instances, not a rate over time.
struct SpotAdvice {
  SpotPool pool;                // zone is a region
  std::string os;               // "Linux"; "" if not told
  std::int32_t bucket = 0;      // 0 to 4, as the provider numbers them
  std::string share;            // "<5%", "5-10%"...: interrupted within the trailing month
  std::int32_t saving_pct = 0;  // against on-demand; negative: dearer than on demand
  std::string as_of;            // of the statistic, as the file says; "" if it does not
};

// What one file said.
struct SpotHistory {
  std::string format;
  std::vector<AvailabilityTrace> traces;
  std::vector<InstanceLifetimes> lifetimes;
  std::vector<SpotAdvice> advice;
  std::vector<std::string> notes;  // sentences: what was put right or left out
};

}  // namespace plimsoll
