// Assemble: walks nodes and hours in order and writes the lines, asset costs and dimensions
// of one allocation (rules S5, S6 and S15).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "allocation/charge_costs.h"
#include "allocation/idle_rules.h"
#include "allocation/node_hour.h"
#include "allocation/price_ladder.h"

namespace plimsoll {

// Everything that is known before the first hour, with final ids.
struct Prepared {
  const AllocationInput& input;
  const AllocationOptions& options;
  const NodeTable& nodes;
  const DeviceGrid& devices;
  const HoldingTable& holdings;
  const Pieces& pieces;
  const ChargeCosts& costs;
  const ScopeTable& scopes;
  const WorkloadTable& workloads;
  const std::vector<std::pair<Instant, std::int32_t>>& unbilled_scopes;  // by month's begin
  std::int32_t no_telemetry;                                             // workload id
  IdleRules& idle;
};

Result<AllocationOutput> Assemble(const Prepared& prepared, FindingLog& findings);

}  // namespace plimsoll
