// Ledger queries: cost lines grouped by any fields, with their totals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/fields.h"
#include "store/store.h"
#include "units/time.h"

namespace plimsoll {

// The kinds of cost, as columns of every answer.
inline constexpr std::size_t kCostKindCount = 7;
inline constexpr const char* kCostKindNames[kCostKindCount] = {
    "gpu_cost",     "cpu_cost",    "memory_cost",  "storage_cost",
    "network_cost", "shared_cost", "overhead_cost"};

struct LedgerQuery {
  Window window;                // whole hours
  std::vector<std::string> by;  // field names; may be empty: one row
  std::string filter;           // see ledger/filter.h
};

// Sums over a group of lines. Currencies are never added: unless `by` or the filter leaves
// one currency, RunQuery adds currency as the last key.
struct LedgerRow {
  std::vector<std::string> keys;
  GpuHours gpu_time;                 // provisioned, whatever the class
  std::optional<GpuHours> gpu_used;  // class used; null if time is held and none has a signal
  std::array<Money, kCostKindCount> cost_by_kind;
  Money cost;  // sum of cost_by_kind
};

struct LedgerTable {
  std::vector<std::string> by;  // as asked, plus "currency" if it was added
  std::vector<LedgerRow> rows;  // by cost, greatest first, then by keys
};

// Fails with kInvalidArgument on a window of part hours (lines are hourly) and on a field that is
// asked for twice.
Status CheckQuestion(const LedgerQuery& query);

// Reads what is stored: call Ledger::Refresh first.
// Fails with kInvalidArgument on an unknown field, a bad filter or a window of part hours.
Result<LedgerTable> RunQuery(Store& store, const LedgerQuery& query);

}  // namespace plimsoll
