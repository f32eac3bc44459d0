// TrainingAccount: what a run's GPU time went into, what its failures cost, what came out.
//
// Pure and exact: the causes add up to the allocated GPU time in GPU-milliseconds, whatever the
// log. The rules, T1 to T11, are docs/decisions/0003-training-accounting.md.
//
//   8 GPUs; start 00:00, step 1 at 00:20, step 2 at 00:30, failure at 00:35
//   allocated 280 GPU-minutes = startup 80 + effective 160 + recomputation 40
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "economics/training_causes.h"
#include "model/run.h"
#include "units/quantity.h"

namespace plimsoll {

struct TrainingOptions {
  std::optional<std::int64_t> gpus;  // held by attempts of which nothing says it
  CauseOptions causes = {};
};

struct TrainingFailure {
  std::int64_t attempt = 0;  // number
  Instant at;
  bool is_told = true;  // false: the attempt ended without a word and another one followed
  std::string reason;   // as the source words it
  // T11: held since the last durable checkpoint, and until training went on again.
  GpuHours work_lost, restart;

  GpuHours Loss() const { return work_lost + restart; }
};

// What steps produced; null if no step says.
struct TrainingOutput {
  std::int64_t steps = 0;
  std::optional<std::int64_t> samples, tokens;
};

struct TrainingRun {
  TrainingLog log;
  std::vector<TimePiece> pieces;  // of every held millisecond, by attempt and time

  GpuHours allocated;  // the sum of `time`
  std::array<GpuHours, kTimeCauseCount> time;
  std::array<Duration, kTimeCauseCount> held;  // the same of one GPU
  std::vector<TrainingFailure> failures;       // in run order
  TrainingOutput kept, lost;
  std::int64_t durable_checkpoints = 0;

  GpuHours of(TimeCause cause) const { return time[static_cast<std::size_t>(cause)]; }
  Duration held_for(TimeCause cause) const { return held[static_cast<std::size_t>(cause)]; }
  GpuHours FailureLoss() const;
  std::vector<std::string> Marks() const;  // T2 to T4, by name: "clock", "overlap"...
};

// Of the given rows of `events`, which are of one run.
// Fails with kOutOfRange on more GPUs, time, samples or tokens than 64 bits count.
Result<TrainingRun> Account(const RunEventBatch& events, std::span<const std::size_t> rows,
                            const TrainingOptions& options);
// Of all rows.
Result<TrainingRun> Account(const RunEventBatch& events, const TrainingOptions& options);

// GPU time that the run's attempts held before `until`.
GpuHours HeldBefore(const TrainingRun& run, Instant until);

}  // namespace plimsoll
