// Slurm's topology plugins on the same domains: switches (topology/tree) and blocks
// (topology/block).
//
// The lowest level of the cluster's tree are leaf switches or base blocks. A job asks for whole
// nodes: its shape must take a node to itself. Semantics of slurm.conf(5), topology.conf(5) and
// sbatch(1): --switches, --segment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "capacity/topology/gang.h"
#include "units/time.h"

namespace plimsoll {

// max_switch_wait of slurm.conf: how long a job waits for few switches unless it says otherwise.
inline constexpr Duration kMaxSwitchWait = Seconds(300);

struct SwitchRequest {
  PodShape node;  // what the job takes of each of its nodes
  std::int32_t nodes = 1;
  std::int32_t max_switches = 0;  // --switches; 0: any number
};

struct SwitchOutcome {
  GangOutcome gang;           // kDomain: no switch connects so many idle nodes
  std::int32_t switches = 0;  // leaf switches used
  bool within_limit = true;   // false: a job with --switches waits, and takes it after its time
};

// The lowest switch with enough idle nodes below it, of several the one with the fewest; below it
// few leaf switches: the fullest first and last the one that fits best. With a limit any switch
// that keeps to it goes before one that does not.
SwitchOutcome PlaceOnSwitches(const Cluster& cluster, const SwitchRequest& request);

struct BlockRequest {
  PodShape node;
  std::int32_t nodes = 1;
  std::int32_t segment = 0;  // --segment: nodes that share a block; 0: no segments
};

// As a gang for GangPlacer: one block if it fits, else as few as can be, segments whole. Fails
// with kInvalidArgument as sbatch does if the segment does not divide the nodes, or is larger
// than the largest block.
Result<GangRequest> BlockGang(const Cluster& cluster, const BlockRequest& request);

// Nodes that jobs of whole segments can use: sum of floor(nodes / segment) * segment over blocks
// (NVIDIA's GB200 block study). REQUIRES: segment > 0
std::int64_t UsableNodes(std::span<const std::int64_t> block_nodes, std::int64_t segment);

}  // namespace plimsoll
