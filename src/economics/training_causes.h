// TrainingCauses: every held millisecond of a run with its GPUs and its cause.
//
// Rules T7 to T10 of docs/decisions/0003-training-accounting.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "economics/training_log.h"
#include "economics/training_steps.h"

namespace plimsoll {

// What held time was spent on. In the order in which reports show it.
enum class TimeCause : unsigned char {
  kEffective,      // advanced steps that were kept
  kStartup,        // before the first step
  kDataStall,      // waiting for data
  kCheckpoint,     // saving while training stood still
  kRecomputation,  // steps that were lost, and those that a failure broke off
  kHang,           // no progress before a failure
  kRestart,        // from a failure to the next step
  kUnknown,        // the log does not say
};
inline constexpr std::size_t kTimeCauseCount = 8;
inline constexpr const char* kTimeCauseNames[kTimeCauseCount] = {
    "effective",     "startup", "data_stall", "checkpoint",
    "recomputation", "hang",    "restart",    "unknown"};

// One cause, one number of GPUs.
struct TimePiece {
  std::size_t attempt = 0;  // index
  Window held;
  std::int64_t gpus = 0;
  TimeCause cause = TimeCause::kUnknown;
  std::int64_t failure = -1;  // the last failure before it in run order (T11)

  int128 gpu_millis() const { return int128{gpus} * held.length().base(); }
};

// T10. `event` is the failure, or the attempt's last event if it failed without saying so.
struct FailurePoint {
  EventAt at;
  bool is_told = true;
};
std::vector<FailurePoint> FailuresOf(const TrainingLog& log);

struct CauseOptions {
  std::int64_t hang_factor = 10;  // T9: a longer tail than that many usual steps is a hang
  // Attempt number -> until when its scheduler says that it held its GPUs (T3).
  std::map<std::int64_t, Instant> held_until = {};
};

// The pieces of each attempt in turn, by time; neighbours are joined if they are alike.
std::vector<TimePiece> PiecesOf(const TrainingLog& log, const Lineage& lineage,
                                const std::vector<FailurePoint>& failures,
                                const CauseOptions& options);

}  // namespace plimsoll
