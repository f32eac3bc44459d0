// Reservations: `scontrol show reservation` as capacity that is set aside.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/slurm/scontrol_nodes.h"
#include "model/conditions.h"

namespace plimsoll {

struct SlurmReservation {
  std::string name;
  bool maintenance = false;        // the MAINT flag
  std::string owner;               // accounts, else users: "nlp,vision"; "" if neither is named
  std::string reason;              // its flags
  std::vector<std::string> nodes;  // sorted
  std::int64_t gpus = 0;           // of its TRES; 0 if they name none
  std::optional<std::int64_t> cpus;
  Instant begin, until;
};

// Reads one record. Fails with kBadData; the message begins with the field.
Result<SlurmReservation> ReadReservation(const std::map<std::string, std::string>& record,
                                         const SlurmClock& clock);

// Adds one row a node, with the GPUs that are set aside there:
//   all of the node's, where the reservation holds whole nodes: its TRES name as many GPUs,
//     or no GPUs but all CPUs of the nodes;
//   else the GPUs of its TRES, divided evenly, what is left over one each to the first nodes.
// A reservation of a part of the CPUs and no GPUs sets aside no GPU. One of a number of GPUs
// and no nodes is one row without a node. `seen` is when it was printed.
// Fails with kBadData if GPUs cannot be known, as its nodes are not among `nodes`.
Status AppendSetAside(const SlurmReservation& reservation, const NodeBatch& nodes,
                      const std::string& cluster, Instant seen, SetAsideBatch& rows);

}  // namespace plimsoll
