// RunFiles: files and folders of training logs as runs and their events, without a store.
//
// Reads Plimsoll's own event log, MLflow (file store and SQLite), TensorBoard event files,
// Hugging Face's trainer_state.json and Lightning's metrics.csv, each recognised by its
// content (docs/formats/runs.md). The result depends on the set of facts alone: order,
// repetition and splitting of the input change nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "model/import.h"
#include "model/run.h"

namespace plimsoll {

// The labels of a run that say what its times are worth: absent if they are UTC times.
// kRunTimesNone: the source tells no times; every event stands at one instant.
// kRunTimesRelative: it tells how long the run took; events count from the epoch.
inline constexpr const char* kRunTimesLabel = "plimsoll.io/times";
inline constexpr const char* kRunTimesNone = "none";
inline constexpr const char* kRunTimesRelative = "relative";

struct RunFileOptions {
  std::vector<std::string> paths;  // files, folders (read through), "-" for standard input
  // For what a source does not say itself; "" and null: nothing.
  std::string run = {};  // the id of the only run that the paths hold
  std::string experiment = {}, model = {}, cluster = {};
  std::optional<std::int64_t> gpus = {};  // held from a start
  std::optional<Instant> began = {};      // start of runs whose source tells no times
  std::optional<std::int64_t> samples_per_step = {}, tokens_per_step = {};
  Progress progress = {};
};

struct RunReading {
  RunBatch runs;                // one row a (source, run), in that order
  RunEventBatch events;         // by (source, run, attempt, at, seq, kind, ...), each event once
  std::int64_t duplicates = 0;  // events told again
  std::vector<Rejection> rejections;
  std::vector<std::string> warnings;  // one sentence each
  std::vector<std::string> ignored;   // what is there and not used
};

// snapshot_id is 0 in every row. Fails with kNotFound on a path that is not there, kBadData on
// a file that is named and of no known kind or of a newer version (in folders such files are
// passed by), kInvalidArgument if `run` is given and the paths hold several runs.
Result<RunReading> ReadRunFiles(const RunFileOptions& options);

// What was read, for the user: counts, the first rejections, warnings. Without loads.
ImportReport RunReportOf(const RunReading& reading);

}  // namespace plimsoll
