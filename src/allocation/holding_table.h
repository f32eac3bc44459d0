// HoldingTable: what was held on every node, each holding once (rule S2), with its workload.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "allocation/node_table.h"
#include "allocation/workload_table.h"

namespace plimsoll {

struct HoldingFact {
  std::size_t row = 0;  // of the holding batch
  std::int32_t node = 0;
  std::int32_t workload = 0;
  Instant begin, ready, until;                // begin <= ready <= until; until is never open
  std::int64_t units = 0;                     // of GPUs; 0 if the row holds none
  std::int64_t share_num = 1, share_den = 1;  // of a card, each unit
  std::int64_t used_ppm = -1;                 // of the row; -1: not told
};

// CPU and memory that one pod or job asked for, over one interval: the greatest that any row of
// any source tells, also of rows that do not count otherwise (rule S12).
struct RequestFact {
  std::int32_t node = 0;
  std::int32_t workload = 0;
  Instant begin, until;
  std::int64_t cpu_milli = 0, memory_bytes = 0;
};

// The row that counts of each holding (rule S2), one a (cluster, uid, node, device kind): the
// best source's, whatever its times. Rows without time (until before begin, or after
// `data_until` where open) are left out.
std::vector<std::size_t> UniqueHoldings(const HoldingBatch& holdings, Instant data_until);

class HoldingTable {
 public:
  // Holdings that touch the window; one without an end ends at `data_until`.
  HoldingTable(const AllocationInput& input, const AllocationOptions& options,
               const NodeTable& nodes, WorkloadTable& workloads);

  // Of one node, by (begin, namespace, name, uid, device kind).
  std::span<const HoldingFact> Of(std::int32_t node) const;
  // Of one node, by begin; intervals of one uid do not overlap.
  std::span<const RequestFact> RequestsOf(std::int32_t node) const;
  // Index of `Of(node)[0]` among all holdings.
  std::size_t FirstOf(std::int32_t node) const { return first_[static_cast<std::size_t>(node)]; }
  std::size_t size() const { return facts_.size(); }
  const HoldingFact& at(std::size_t i) const { return facts_[i]; }

  // Gives workloads their final numbers.
  void Renumber(std::span<const std::int32_t> final_ids);

 private:
  void GatherRequests(const HoldingBatch& holdings, Instant data_until);

  std::vector<HoldingFact> facts_;
  std::vector<RequestFact> requests_;
  std::vector<std::size_t> first_, first_request_;
};

}  // namespace plimsoll
