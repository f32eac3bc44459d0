// IdleConfig: reserves, maintenance and idle rules of plimsoll.yaml.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/yaml_reader.h"
#include "model/idle_policy.h"

namespace plimsoll {

// Reads the keys `reserves`, `maintenance` and `idle` (docs/formats/plimsoll-yaml.md). Owners
// must be among `teams`, unless that list is empty.
void ReadIdlePolicy(YamlMap& top, const std::vector<std::string>& teams, IdlePolicy& idle);

}  // namespace plimsoll
