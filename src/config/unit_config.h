// UnitConfig: what plimsoll.yaml says of unit costs: the quality at which experiments are compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "config/yaml_reader.h"
#include "model/quality_target.h"

namespace plimsoll {

// When a unit cost's move is an alert of the weekly report.
struct UnitAlertConfig {
  std::int64_t band_percent = 20;  // up or down
  std::int64_t weeks = 4;          // before, that it is compared with
};

// Reads `unit_alerts` (docs/formats/plimsoll-yaml.md).
void ReadUnitAlerts(YamlMap& top, UnitAlertConfig& alerts);

// Reads `targets` (docs/formats/plimsoll-yaml.md): at most one an experiment, and one for all
// others.
void ReadTargets(YamlMap& top, std::vector<QualityTarget>& targets);

}  // namespace plimsoll
