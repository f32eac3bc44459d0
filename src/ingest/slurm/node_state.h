// NodeState: what Slurm's state of a node says of its capacity.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/conditions.h"

namespace plimsoll {

struct SlurmNodeState {
  std::string health = "ok";  // as NodeStateBatch: ok, failed, initializing, maintenance
  bool schedulable = true;    // not draining
  bool planned = false;       // kept free for a job that waits

  friend bool operator==(const SlurmNodeState&, const SlurmNodeState&) = default;
};

// Reads a state and its flags, "IDLE+PLANNED", "MIXED+DRAIN", "DOWN*", as scontrol and sinfo
// write them, in any case. A maintenance explains a failure, a failure beats powering up. A
// node that is powered down to save energy is ok: it starts when a job wants it.
// Null if no word of it is Slurm's.
std::optional<SlurmNodeState> ParseNodeState(std::string_view text);

// A node as one printout shows it.
struct NodeSighting {
  std::string node;
  SlurmNodeState state;
  std::string reason;                            // without "[who@when]"
  std::optional<Instant> reason_at;              // when the reason was set
  std::optional<Instant> latest = std::nullopt;  // the latest time that the record speaks of
};

// Three rows a node: health, schedulable, planned, since and seen at `as_of`, so that a later
// printout ends what an earlier one began. A failed or draining node is so also since its
// reason was set; a maintenance comes from a reservation, which says its own time.
void AppendSighting(const NodeSighting& sighting, const std::string& cluster, Instant as_of,
                    NodeStateBatch& states);

}  // namespace plimsoll
