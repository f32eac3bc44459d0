// Layout: which nodes a demo fleet of N GPUs has, and what they cost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "demo/fleet.h"
#include "demo/random.h"

namespace plimsoll {

// Adds the permanent nodes: training and serving (p5.48xlarge), a MIG node (p4d.24xlarge),
// notebooks (g6.12xlarge and, for odd counts, g6.xlarge) and a Slurm partition
// (a2-highgpu-8g). With the spot slots of four GPUs each they add up to `gpus` exactly.
// Sets fleet.nodes; returns the number of spot slots.
std::int64_t LayOutNodes(DemoFleet& fleet);

// A spot g6.12xlarge that lives over `life` (quarter hours), appended to fleet.nodes.
std::size_t AddSpotNode(DemoFleet& fleet, Window life, DemoRandom& random);

// Nodes of a pool, in order: train, mixed, serve, mig, notebook, spot, slurm.
std::vector<std::size_t> NodesOf(const DemoFleet& fleet, std::string_view pool);

}  // namespace plimsoll
