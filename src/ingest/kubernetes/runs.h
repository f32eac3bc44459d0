// Runs: turns single sightings of a state into "it was so from then on".
//
// A cluster is read every few minutes, and nearly always everything is as it was. So a sighting
// extends the run before it if the value is the same, and only a change begins a new one: what
// is stored grows with the changes, not with the readings. Sightings that come in order of
// time give the same runs in one load or in many; one that comes late, behind a run that it
// contradicts, begins a run of its own in the past.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "units/time.h"

namespace plimsoll {

struct StateRun {
  std::string value;
  Instant since, seen;
  std::string detail;  // of the latest sighting

  friend bool operator==(const StateRun&, const StateRun&) = default;
};

struct Sighted {
  std::string value;
  Instant seen;
  std::optional<Instant> changed;  // when the object says that it became so
  std::string detail;
};

// The runs that are new or longer than in `known`, in order of since. A run that begins with a
// sighting begins when its object says, but not before the last sighting of another value.
// Where nothing is known, a sighting of `nothing` begins no run.
std::vector<StateRun> SettleRuns(std::vector<StateRun> known, std::vector<Sighted> sightings,
                                 const std::string& nothing = "\n");

}  // namespace plimsoll
