// RunFacts: what the readers of this folder gather, before it is merged.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/import.h"
#include "model/run.h"

namespace plimsoll {

// One row of RunBatch; fields as there.
struct RunRow {
  std::string run, source, experiment, name, model;
  std::string cluster, ns, workload, pod, job;
  std::map<std::string, std::string> labels;
};

// One row of RunEventBatch; fields as there.
struct RunEvent {
  std::string run = {};
  Symbol source = {}, kind = {};
  Instant at = {};
  std::int64_t attempt = 0, seq = 0;
  std::optional<std::int64_t> gpus = {}, step = {}, tokens = {}, samples = {};
  std::string name = {}, value = {};
};

void Append(RunBatch& batch, const RunRow& row);
void Append(RunEventBatch& batch, const RunEvent& event);

struct RunFacts {
  RunBatch runs;         // any number of rows a run
  RunEventBatch events;  // in any order, repeated or not
  // Runs that their source does not name, by the folder that names them instead.
  std::set<std::pair<std::string, std::string>> unnamed;  // (source, folder)
  std::vector<Rejection> rejections;
  std::set<std::string> warnings, ignored;
  std::map<std::string, std::int64_t> passed;  // what was not used -> how many
};

// Adds all of `from` to `to`.
void AppendFacts(RunFacts& to, const RunFacts& from);

// The text as a row's column takes it: what is no UTF-8 becomes U+FFFD.
std::string RunText(std::string_view text);

// The labels of a row's column; empty if the text is no JSON object.
std::map<std::string, std::string> RunLabelsOf(const std::string& text);

// Puts into the row what its labels say by Plimsoll's names ("plimsoll.cluster", .namespace,
// .workload, .pod, .job, .model) or by those that schedulers and trainers use (SLURM_JOB_ID,
// _name_or_path), where the row does not say it itself. Returns the GPUs that "plimsoll.gpus"
// states, if any.
std::optional<std::int64_t> TakeRunLabels(RunRow& row);

}  // namespace plimsoll
