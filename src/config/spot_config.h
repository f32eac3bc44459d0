// SpotConfig: what plimsoll.yaml says that running on spot costs beside the instances.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "config/yaml_reader.h"
#include "model/spot_cost_rule.h"

namespace plimsoll {

// Reads `spot_costs` (docs/formats/plimsoll-yaml.md). A filter's fields are checked when it is
// asked, by the ledger.
void ReadSpotCosts(YamlMap& top, std::vector<SpotCostRule>& rules);

}  // namespace plimsoll
