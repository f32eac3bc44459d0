// ChargeCosts: every charge's cost by hour, either part of a node's asset cost or a line of
// its own (rules S3, S4, S5 and S13).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "allocation/findings.h"
#include "allocation/node_table.h"
#include "allocation/scope_table.h"
#include "allocation/workload_table.h"

namespace plimsoll {

// What one scope billed for one node's compute in one hour.
struct BilledHour {
  std::int32_t hour, node, scope;  // hour of the window, ids
  Money cost;
  Money usage_cost;           // of it, Usage charges
  bool has_usage = false;     // some Usage charge covers a part of the hour
  Window provisioned;         // hull of those charges within the hour
  bool is_committed = false;  // a commitment covers some of it
};

enum class CostColumn : unsigned char { kStorage, kNetwork, kOverhead };

// Cost that is no GPU time: a line of its own.
struct DirectCost {
  std::int32_t hour, node, scope, workload;  // node, workload: or kNoId
  CostColumn column;
  Money cost;
};

struct ChargeCosts {
  std::vector<BilledHour> billed;  // one row a (node, hour, scope), in that order
  std::vector<DirectCost> direct;  // by (hour, scope, node, workload); keys may repeat
  std::vector<bool> is_billed;     // by node: some hour of the window has a Usage charge
  std::vector<Window> covered;     // by node: AllocationOptions::billed, empty if not among them

  // True if the node's bill is known for that hour: then only charges provision it.
  bool IsBilledIn(std::int32_t node, const Window& hour) const;

  // Gives scopes and workloads their final numbers and sorts.
  void Number(const std::vector<std::int32_t>& scopes, const std::vector<std::int32_t>& workloads);
};

struct ChargeTables {
  NodeTable& nodes;  // gains the machines that only the bill knows
  ScopeTable& scopes;
  WorkloadTable& workloads;
  FindingLog& findings;
};

// Fails with kOutOfRange past 38 digits.
Result<ChargeCosts> CostCharges(const AllocationInput& input, const AllocationOptions& options,
                                const ChargeTables& tables);

}  // namespace plimsoll
