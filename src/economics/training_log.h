// TrainingLog: the events of one run, each once and in the writer's order.
//
// Rules T1 to T5 of docs/decisions/0003-training-accounting.md. Order and repetition of the
// rows change nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/run.h"

namespace plimsoll {

// In the order in which events of one time and `seq` come (T2).
enum class RunEventKind : unsigned char {
  kStart,
  kResume,
  kStep,
  kMetric,
  kCheckpointBegin,
  kCheckpointEnd,
  kStallBegin,
  kStallEnd,
  kFailure,
  kStop,
};
std::optional<RunEventKind> ParseRunEventKind(std::string_view name);

struct TrainingEvent {
  RunEventKind kind = RunEventKind::kStart;
  bool is_step = false;       // T5: a step, told for the first time in its leg
  bool is_preempted = false;  // a stop of that name
  std::size_t row = 0;        // of the batch, for name and value
  Instant at;                 // T2: never before the event that it follows
  std::int64_t gpus = 0;      // T4: held from here to the next event
  std::optional<std::int64_t> step, tokens, samples;
};

// A step, failure, resume or stop: what T9 looks back and ahead for.
bool IsDecisive(const TrainingEvent& event);
bool IsBreak(RunEventKind kind);  // failure, resume or stop (T5)

struct TrainingAttempt {
  std::int64_t number = 0;
  std::vector<TrainingEvent> events;  // at least one

  Window Logged() const { return {events.front().at, events.back().at}; }
};

struct TrainingLog {
  std::vector<TrainingAttempt> attempts;  // by number
  // Marks of T2 to T4: what of the log had to be put right.
  bool clock = false, overlap = false, no_start = false, no_stop = false, no_gpus = false;
  std::int64_t unknown_kinds = 0;  // rows that are no events (T1)
};

// Of the given rows of `events`, which are of one run; `gpus` is what attempts hold if no
// attempt says it. Fails with kOutOfRange on more than ten million GPUs, or times that no log
// of a century holds.
Result<TrainingLog> ReadTrainingLog(const RunEventBatch& events, std::span<const std::size_t> rows,
                                    std::optional<std::int64_t> gpus);

}  // namespace plimsoll
