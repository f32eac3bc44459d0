// SlurmImport: loads what sacct and scontrol print into the snapshot of its cluster.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "model/import.h"
#include "store/store.h"

namespace plimsoll {

struct SlurmOptions {
  std::vector<std::string> files;  // "-" is standard input
  std::string cluster;             // "" takes sacct's Cluster column
  std::string time_zone;           // IANA zone of times without one; "" is UTC
  // When the files were printed. Null: the latest time that they speak of: Start + Elapsed of
  // a running job, or a time in a node's record.
  std::optional<Instant> as_of = std::nullopt;
  const Catalog* catalog = nullptr;  // names GPU models; may be null
  Progress progress = {};
};

// Snapshot ("slurm", cluster), merged with what is there (ingest/fleet_load.h). Fails, and
// changes nothing, with kNotFound on a file that cannot be opened, kBadData on one that is
// none of the kinds of slurm_text.h, kInvalidArgument if no cluster is named or the time zone
// is not known.
Result<ImportReport> ImportSlurm(Store& store, const SlurmOptions& options);

}  // namespace plimsoll
