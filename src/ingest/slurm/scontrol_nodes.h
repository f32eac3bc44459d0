// ScontrolNodes: `scontrol show node`, one record a line (-o) or a paragraph, as nodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "ingest/slurm/node_state.h"
#include "ingest/slurm/slurm_time.h"
#include "model/fleet.h"

namespace plimsoll {

// The fields of one record. A value runs to the next " Key=", as OS and Reason hold spaces; the
// first of two equal keys counts, so that no Reason can overwrite a field. The time in a
// Reason's "[who@when]" is the field "ReasonAt".
std::map<std::string, std::string> ParseScontrolRecord(std::string_view text);

struct ScontrolContext {
  std::string cluster;
  const Catalog* catalog = nullptr;             // names GPU models by their Slurm type; may be null
  std::optional<Instant> as_of = std::nullopt;  // when the state was printed, if known
  const SlurmClock* clock = nullptr;            // reads the record's times; null: as UTC
};

struct ScontrolNodes {
  NodeBatch rows;
  std::vector<NodeSighting> sightings;  // of the nodes that tell their state
};

struct ScontrolRefusal {
  std::string field;
  std::string reason;
};

// Adds the node, or says why it cannot be taken. State, partitions, features and the reason
// for a drain are labels "slurm/...".
std::optional<ScontrolRefusal> AppendScontrolNode(const std::map<std::string, std::string>& record,
                                                  const ScontrolContext& context,
                                                  ScontrolNodes& nodes);

}  // namespace plimsoll
