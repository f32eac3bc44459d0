// MlflowFiles: a run in MLflow's file store: a folder with meta.yaml, metrics, params, tags.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "ingest/runs/run_facts.h"

namespace plimsoll {

// meta.yaml as the texts of its top-level fields; null if it is no mapping.
std::optional<std::map<std::string, std::string>> ReadMlflowMeta(const std::string& text);

// True if the fields are those of a run; else they may be an experiment's.
bool IsMlflowRun(const std::map<std::string, std::string>& meta);

// Reads the run of that folder. Its experiment's name comes from the meta.yaml of the folder
// around it. A run that was deleted in MLflow is passed over. Metric lines that cannot be
// taken are rejections, a last one that breaks off a note.
void ReadMlflowFolder(const std::string& folder, const std::map<std::string, std::string>& meta,
                      RunFacts& facts);

// One file of metrics, of which every line is "milliseconds value step".
void ReadMlflowMetrics(std::istream& in, const std::string& file, const std::string& name,
                       const std::string& run, RunFacts& facts);

}  // namespace plimsoll
