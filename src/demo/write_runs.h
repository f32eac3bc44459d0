// The event logs of the fleet's training runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "demo/fleet.h"

namespace plimsoll {

// Format plimsoll-run/1 (docs/formats/runs.md), written as clients/python does; the logs of all
// runs in one file, one after another.
std::string RunsJsonl(const DemoFleet& fleet);

}  // namespace plimsoll
