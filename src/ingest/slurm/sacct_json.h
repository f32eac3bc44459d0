// SacctJson: a job or a step of `sacct --json` as the fields that `sacct --parsable2` prints.
//
// One set of rules for both: JSON becomes the same texts, and ReadSacctFields reads them.
// Knows the plain values of Slurm 21.08 and 22.05 (null for none, a state's name) and the
// wrapped ones since 23.02 ({"set", "infinite", "number"}, a list of states).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// In the order of SacctField, for SacctTable::EveryField(). Values that are missing, of
// another type, not set or Slurm's "no value" (0xfffffffe and 64-bit alike) are "".
std::vector<std::string> SacctFieldsOfJob(const nlohmann::json& job);

// `job_fields` are those of the step's job, whose id and cluster it takes.
std::vector<std::string> SacctFieldsOfStep(const nlohmann::json& step,
                                           const std::vector<std::string>& job_fields);

// A number or text as sacct prints it; "" for none.
std::string SlurmJsonText(const nlohmann::json& value);

// The value at a path of keys ("time", "start"), or null where there is none.
const nlohmann::json& SlurmJsonAt(const nlohmann::json& object,
                                  std::initializer_list<const char*> path);

// A list of texts, or one text, joined by `separator`.
std::string SlurmJsonJoined(const nlohmann::json& value, char separator);

// Slurm's bitmap of waiting array tasks, "0x3f8", as sacct prints it: "3-9"; with an even
// step over more than ten, "1-21:5". Text that is no bitmap is returned as it is.
std::string ArrayTasksText(std::string_view text);

}  // namespace plimsoll
