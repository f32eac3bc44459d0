// TrainingFleet: a described cluster with more or fewer nodes of each group, as a queue sees it.
//
// Every group is a flavor of its own in the simulated cluster, so that owned and spot nodes of the
// same GPU fail and cost each in their way; a job that accepts a GPU accepts all groups of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "capacity/model/node_group.h"
#include "cli/training_settings.h"

namespace plimsoll {

// The cluster with units[i] nodes of group i. Fewer are the first ones; more fill domains that have
// fewer than the group's fullest, then open new domains of as many nodes, in parents with as many
// domains as the group's parents now have. All stay in one domain at a level where the group has
// one, but the lowest. REQUIRES: a number a group, which may be 0
ClusterSpec ScaledTo(const ClusterSpec& facts, const std::vector<std::int64_t>& units);

// What is simulated: groups as flavors, and what breaks.
SimulatedFleet FleetOf(const ClusterSpec& facts, const std::vector<std::int64_t>& units);

// A model of a cluster and jobs whose flavors are the cluster's. Fails with kInvalidArgument: more
// groups than a simulated cluster has flavors.
Result<TrainingModel> ModelOf(const ClusterSpec& facts, TrainingWorkload workload,
                              std::vector<std::pair<std::string, std::string>> files);

}  // namespace plimsoll
