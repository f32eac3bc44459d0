// SlurmText: a file of Slurm's, recognised by its content, as facts.
//
// Reads `sacct --parsable2` with a header in any column order, the same without a header in
// the documented column order, and `scontrol show node` in both forms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <set>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "ingest/slurm/sacct_row.h"
#include "ingest/slurm/scontrol_nodes.h"
#include "model/import.h"

namespace plimsoll {

// What any number of files add up to.
struct SlurmReading {
  SacctFacts jobs;
  NodeBatch nodes;  // of cluster "" where the options name none
  std::vector<Rejection> rejections;
  std::set<std::string> unused_columns;
  std::int64_t empty_files = 0;
};

struct SlurmTextOptions {
  std::string file;     // for messages
  std::string cluster;  // "" takes sacct's Cluster column
  const Catalog* catalog = nullptr;
  std::optional<Instant> as_of = std::nullopt;
  Progress progress = {};
};

// Reads to the end. Rows that cannot be taken are rejections.
// Fails with kBadData if the text is none of the known kinds.
Status ReadSlurmText(std::istream& in, const SlurmClock& clock, const SlurmTextOptions& options,
                     SlurmReading& reading);

}  // namespace plimsoll
