// SpotRun: one run of a training job on spot capacity, simulated once.
//
// The job works on `nodes` nodes; the loss of one stops all. It works and saves in turn; an
// eviction throws it back to its last checkpoint, it waits for capacity (nothing is evicted then)
// and restarts (that may be evicted too). At hour zero it works at once: what waits before the
// first start is the same for every way to buy. Time is whole milliseconds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "purchase/spot/lifetime.h"
#include "sim/fingerprint.h"
#include "units/time.h"

namespace plimsoll {

enum class SpotPolicy : unsigned char {
  kOnDemand,  // never evicted; saves and fails only if a hardware MTBF is known
  kSpotOnly,  // spot until it is done
  // Spot as long as the deadline can be met if the next step fails; then on demand to the end.
  kFallback,
};
inline constexpr const char* kSpotPolicyNames[] = {"on_demand", "spot_only", "fallback"};

struct SpotRunModel {
  SpotRunModel(Lifetime of_node) : lifetime(std::move(of_node)) {}  // NOLINT: the one it is about

  Duration work;      // above 0
  Duration interval;  // of work between two checkpoints, above 0
  Duration save, restart, wait;
  std::int64_t nodes = 1;
  Lifetime lifetime;  // of one spot node
  // Intervals after a restart and after the start in place of `interval`, by the age of the
  // instance; the last one repeats. Empty: they do not change. One node only.
  std::vector<Duration> aged_intervals, aged_first_intervals;
  bool last_is_saved = true;

  // A checkpoint on notice is written in time with that probability if it fits in the notice.
  Duration notice;
  std::uint64_t save_per_billion = 0;

  std::optional<Duration> deadline;
  std::optional<Duration> hardware_mtbf;  // of one node on demand; null: it never fails
  Duration on_demand_interval;            // of checkpoints on demand; used with hardware_mtbf
  // A run not done by then, or after 100,000 evictions and failures, is not finished.
  Duration give_up;
};

// Where time goes. Wall time; the whole gang does the same thing at any time.
enum class SpotTime : unsigned char {
  kWork,           // that counts: adds up to the work
  kRecomputation,  // work that was lost and done again
  kCheckpoints,    // writes, broken ones too
  kRestarts,
  kWaiting,
};
inline constexpr std::size_t kSpotTimes = 5;

struct SpotRunTimes {
  // [0] on spot, [1] on demand. All add up to `finish`.
  std::array<std::array<Duration, kSpotTimes>, 2> spent{};
  Duration finish;
  std::int64_t evictions = 0;
  std::int64_t restarts = 0;  // begun
  std::int64_t hardware_failures = 0;
  std::int64_t saved_on_notice = 0;
  bool finished = true;
  Fingerprint fingerprint;

  Duration of(SpotTime what) const {
    const auto i = static_cast<std::size_t>(what);
    return spent[0][i] + spent[1][i];
  }
};

// Streams "evictions", "notice" and "hardware" of (seed, replication).
struct SpotSeed {
  std::uint64_t seed = 1;
  std::uint64_t replication = 0;
};
SpotRunTimes SimulateSpotRun(const SpotRunModel& model, SpotPolicy policy, SpotSeed seed);

// The next interval of an instance of that age: until the odds to be evicted within it times half
// of it are the cost of a save: cumulative hazard x interval = 2 save. It is sqrt(2 C / h) where
// the hazard h is constant; at most model.work.
Duration NextAgedInterval(const Lifetime& lifetime, const SpotRunModel& model, Duration age);

// One after another from `age` on, until they add up to model.work; 10,000 at most.
std::vector<Duration> AgedIntervals(const Lifetime& lifetime, const SpotRunModel& model,
                                    Duration age);

}  // namespace plimsoll
