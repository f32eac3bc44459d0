// SharedQuery: cost lines grouped by fields, in steps, with idle and shared cost where a policy
// puts them (src/sharing/). RunQuery is the same question without a policy, for figures that
// `explain` takes apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/query.h"
#include "sharing/sharing.h"

namespace plimsoll {

// By what shared lines' cost is divided over the keys of the answer.
enum class SharedSplit : unsigned char {
  kWeighted,  // the cost of each, without shared and overhead cost
  kEven,
  kGpuHours,
  kGpuHoursUsed,
};

struct SharedQuery {
  LedgerQuery base;
  IdleSharing idle = IdleSharing::kSeparate;
  bool idle_by_node = false;       // else by cluster
  std::vector<std::string> share;  // filters: lines held by a workload that one of them keeps
  SharedSplit split = SharedSplit::kWeighted;
  std::vector<Window> steps;  // consecutive, they cover the window; none is one
  bool accumulate = false;    // all steps added up
};

struct SharedRow {
  LedgerRow row;
  Instant step;       // its begin
  bool idle = false;  // nobody's lines; never in one row with a workload's
  // The class of all its lines; of several, or of idle without a class, "idle" or "mixed";
  // "shared" if it is shared cost that no row could take.
  std::string cost_class;
};

struct SharedTable {
  std::vector<std::string> by;              // as asked, and "currency" as in LedgerTable
  std::vector<SharedRow> rows;              // by step, then cost, greatest first, then keys
  std::map<std::string, LedgerRow> hidden;  // by currency: what kHide left out
};

// Idle lines are those that no workload holds; they are idle whatever `share` says. Shares are
// worked out step by step and currency by currency over all lines; the filter comes last.
// Where idle is shared, what a line is given of it counts as its own kind of cost and GPU time.
// Memory is bounded by one step's groups and the answer.
// Fails as RunQuery and Share do. REQUIRES: steps cover the window in order
Result<SharedTable> RunSharedQuery(Store& store, const SharedQuery& query);

}  // namespace plimsoll
