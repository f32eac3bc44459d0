// WorkloadTable: the workloads of one allocation, numbered in the order of all their columns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "allocation/attribute.h"
#include "model/cost_line.h"
#include "model/holding.h"

namespace plimsoll {

// Identity of a workload; attribution comes from an Attributor. Order of columns is that of
// AllocationWorkloadBatch.
struct WorkloadIdentity {
  std::string_view cluster, source, ns, workload_kind, workload, account, user_name, queue;
};

class WorkloadTable {
 public:
  // Rules as they hold at `at`.
  explicit WorkloadTable(const AttributionRules& rules, Instant at = {}) : attributor_(rules, at) {}

  // Provisional ids; Number() makes them final.
  std::int32_t OfHolding(const HoldingBatch& holdings, std::size_t row);
  std::int32_t Of(const WorkloadIdentity& identity, const Attribution& attribution);
  Attributor& attributor() { return attributor_; }

  // Sorts the rows and returns the final id of each provisional one. Call it once, when
  // every workload is known.
  std::vector<std::int32_t> Number();

  // Rows whose `used` flag is set, in final order.
  AllocationWorkloadBatch Take(const std::vector<bool>& used) const;
  std::size_t size() const { return rows_.size(); }

 private:
  static constexpr std::size_t kColumnCount = 14;
  using Row = std::array<std::string, kColumnCount>;

  Attributor attributor_;
  std::vector<Row> rows_;
  std::unordered_map<std::string, std::int32_t> ids_;          // by joined row
  std::unordered_map<std::string, std::int32_t> holding_ids_;  // by what Of needs, unattributed
  std::string key_;
};

}  // namespace plimsoll
