// SlurmText: a file of Slurm's, recognised by its content, as facts.
//
// Reads `sacct --parsable2` with a header in any column order, the same without a header in
// the documented column order, `scontrol show node`, `show reservation` and `show partition` in
// both forms, the partitions of slurm.conf, and JSON of sacct and scontrol (slurm_json.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <set>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "ingest/slurm/reservations.h"
#include "ingest/slurm/sacct_row.h"
#include "ingest/slurm/scontrol_nodes.h"
#include "model/import.h"

namespace plimsoll {

// What any number of files add up to.
struct SlurmReading {
  SacctFacts jobs;
  ScontrolNodes nodes;  // of cluster "" where the options name none
  struct Reservation {
    SlurmReservation reservation;
    Rejection as_rejection;  // what to say if its GPUs cannot be known: reason and field missing
  };
  std::vector<Reservation> reservations;
  std::vector<Rejection> rejections;
  std::set<std::string> notes, warnings;  // of partitions
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
// Fails with kBadData if the text is none of the known kinds, sreport's totals among them.
Status ReadSlurmText(std::istream& in, const SlurmClock& clock, const SlurmTextOptions& options,
                     SlurmReading& reading);

}  // namespace plimsoll
