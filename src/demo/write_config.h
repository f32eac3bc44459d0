// plimsoll.yaml for the demo's files, and the truth for a human.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "demo/fleet.h"
#include "demo/truth.h"

namespace plimsoll {

std::string DemoConfigYaml(const DemoFleet& fleet);
std::string DemoTruthJson(const DemoFleet& fleet, const DemoTruth& truth);

}  // namespace plimsoll
