// SacctRow: one row of sacct as facts: a run that held nodes, a wait, or neither.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ingest/fleet_load.h"
#include "ingest/slurm/sacct_table.h"
#include "ingest/slurm/slurm_time.h"
#include "ingest/slurm/step_use.h"

namespace plimsoll {

// What the rows of any number of files add up to.
struct SacctFacts {
  std::map<std::string, FleetFacts> by_cluster;
  std::map<std::string, Instant> as_of;  // by cluster: the latest time that a row speaks of
  std::int64_t jobs = 0;                 // rows taken
  std::int64_t duplicates = 0;           // of them, runs or waits already seen
  std::int64_t steps = 0;                // .batch, .extern, .0: part of their job
  std::int64_t never_started = 0;        // ended without having held anything
  std::int64_t elapsed_differs = 0;      // End - Start is not Elapsed + Suspended
  std::int64_t queued_unclear = 0;       // Submit in a repeated or skipped hour
  std::unordered_set<std::string> seen;
  StepUses step_uses;
  std::map<std::string, std::string> jobstats_broken;  // by job id: why it cannot be read
};

struct SacctRefusal {
  std::string field;
  std::string reason;
};

struct SacctContext {
  const SacctTable& table;
  const SlurmClock& clock;
  std::string cluster;  // "" takes the Cluster column
};

// Adds the row to `facts`, or says why it cannot be taken.
//
// A run is one HoldingBatch row a node and device kind: uid "jobid@start", until
// begin + Elapsed + Suspended, or null while the job runs. GPUs, CPUs and memory of AllocTRES are
// divided evenly over the nodes, what is left over one each to the first nodes by name, so that
// they add up to AllocTRES. A waiting array counts the devices of all its waiting tasks.
std::optional<SacctRefusal> ReadSacctRow(const SacctContext& context, std::string_view line,
                                         SacctFacts& facts);

// The same for a row that is already fields of `context.table`.
std::optional<SacctRefusal> ReadSacctFields(const SacctContext& context,
                                            const std::vector<std::string_view>& fields,
                                            SacctFacts& facts);

// Gives the runs the GPU use that their steps tell; to be called when every row is read, as
// steps may stand anywhere.
void ApplyStepUse(SacctFacts& facts);

// Tasks that a waiting array's id stands for: "900006_[3-9%2]" is 7, "900006" is 1.
std::int64_t WaitingTasks(std::string_view job_id);

// Labels of a Comment: "team=nlp,project=x" or a JSON object as keys and values, any other
// text under the key "comment".
std::map<std::string, std::string> CommentLabels(std::string_view comment);

}  // namespace plimsoll
