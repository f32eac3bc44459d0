// MlflowRun: a run of MLflow's as rows, wherever it was read from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/runs/run_facts.h"

namespace plimsoll {

struct MlflowRun {
  std::string file;  // for messages
  std::string run, experiment, name;
  std::string status;  // RUNNING, FINISHED... or its number in meta.yaml
  std::optional<Instant> began, ended;
  std::map<std::string, std::string> params, tags;
};

// The run's row, its start, and its end: FINISHED is a stop, KILLED a cancelled one, FAILED a
// failure. Params and tags are labels, MLflow's own tags but a few left out.
void AppendMlflowRun(const MlflowRun& run, RunFacts& facts);

struct MlflowMetric {
  std::string_view name, millis, value, step;  // decimals as they are stored
};

// Null if it was taken, else what is wrong. Metrics "system/..." are usage and counted as
// passed over.
std::optional<std::string> AppendMlflowMetric(const std::string& run, const MlflowMetric& metric,
                                              RunFacts& facts);

}  // namespace plimsoll
