// What dcgm-exporter tells of the fleet's GPUs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "demo/fleet.h"
#include "demo/open_metrics.h"

namespace plimsoll {

// Writes the DCGM families of one cluster's nodes, every five minutes: SM_ACTIVE, GPU_UTIL,
// POWER_USAGE and (of held units) FB_USED; GR_ENGINE_ACTIVE of MIG instances and their card;
// XID_ERRORS hourly and when a card fails. Who holds a unit stands in pod, namespace and
// container, or in hpc_job on Slurm nodes.
void WriteDcgm(const DemoFleet& fleet, std::string_view cluster, OpenMetricsWriter& out);

}  // namespace plimsoll
