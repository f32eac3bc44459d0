// Resolve: which devices each holding held, from evidence and free places (rule S9).
//
// A holding names a node and a number of units, not devices. Bindings (samples that carried
// its name) say which; what they leave open is filled with free devices in order, and such a
// piece has no evidence. What finds no place holds nothing and is a finding.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "allocation/device_grid.h"
#include "allocation/findings.h"
#include "allocation/holding_table.h"

namespace plimsoll {

// What one holding holds of one device, one unit.
struct Piece {
  Instant begin, ready, until;
  std::int32_t holding = 0;  // of HoldingTable; the order of processing within a node
  std::int32_t workload = 0;
  std::int32_t instance = -1;  // DeviceGrid::instances; -1: the card, or unknown
  bool has_evidence = false;
  std::int64_t share_num = 1, share_den = 1;
  std::int64_t used_ppm = -1;  // HoldingBatch::used_ppm; -1: not told
};

struct Pieces {
  std::vector<std::vector<Piece>> of_device;  // by device id; by (begin, holding)
  // By node: times at which GPUs are held by more than one workload. Without evidence who
  // sits where, usage cannot be told apart then. Filled where a piece without evidence is.
  std::vector<std::vector<Window>> mixed;
};

struct ResolveTables {
  const NodeTable& nodes;
  const HoldingTable& holdings;
  DeviceGrid& devices;  // learns the instances that only bindings name
};
Pieces ResolveHoldings(const AllocationInput& input, const Window& window,
                       const ResolveTables& tables, FindingLog& findings);

}  // namespace plimsoll
