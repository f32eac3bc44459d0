// SlurmJson: `sacct --json` and `scontrol show node --json`, one job or node at a time.
//
// Only the object at hand is in memory, so that a file of gigabytes is read in that of its
// largest job. JSON of squeue, sinfo and the other commands is refused with the command to run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ingest/slurm/slurm_text.h"

namespace plimsoll {

// Reads to the end. Jobs and nodes that cannot be taken are rejections, with their place
// ("jobs[3]") before the field. Fails with kBadData if the text is no JSON to its end or is
// not of these commands.
Status ReadSlurmJson(std::istream& in, const SlurmClock& clock, const SlurmTextOptions& options,
                     SlurmReading& reading);

// A node's JSON as the fields of its text record.
std::map<std::string, std::string> ScontrolRecordOf(const nlohmann::json& node);

}  // namespace plimsoll
