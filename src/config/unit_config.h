// UnitConfig: what plimsoll.yaml says of unit costs: the quality at which experiments are compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "config/unit_alerts.h"
#include "config/yaml_reader.h"
#include "model/quality_target.h"

namespace plimsoll {

// Reads `unit_alerts` (docs/formats/plimsoll-yaml.md).
void ReadUnitAlerts(YamlMap& top, UnitAlertConfig& alerts);

// Reads `targets` (docs/formats/plimsoll-yaml.md): at most one an experiment, and one for all
// others.
void ReadTargets(YamlMap& top, std::vector<QualityTarget>& targets);

}  // namespace plimsoll
