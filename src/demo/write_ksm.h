// What kube-state-metrics tells of the fleet's nodes and pods.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "demo/fleet.h"
#include "demo/open_metrics.h"

namespace plimsoll {

// Writes the families that cost needs, every 30 minutes and on the five-minute grid around
// each change of a pod (created, bound, ready, ended). An ended pod is seen once after its end.
void WriteKsm(const DemoFleet& fleet, OpenMetricsWriter& out);

}  // namespace plimsoll
