// DeclaredConfig: monthly amounts and volume prices of plimsoll.yaml.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "config/yaml_reader.h"

namespace plimsoll {

// Reads `monthly_costs` and `volume_prices` (docs/formats/plimsoll-yaml.md). Teams must be among
// `teams`, unless that list is empty.
void ReadDeclaredCosts(YamlMap& top, const std::vector<std::string>& teams, Config& config);

}  // namespace plimsoll
