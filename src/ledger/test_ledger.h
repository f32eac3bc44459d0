// A tiny ledger for tests of queries: one hour, two nodes, three workloads, round numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "allocation/allocation.h"
#include "store/store.h"

namespace plimsoll {

inline constexpr Instant kTestHour = AtSeconds(1'763'942'400);  // 2025-11-24T00:00:00Z

// One line of the output below.
struct TestLine {
  std::int64_t scope, node, workload;
  CostClass cost_class;
  std::int64_t gpu_minutes;
  std::int64_t gpu_cost, cpu_cost, overhead_cost;  // whole units
};

inline void AddLine(AllocationOutput& output, const TestLine& line) {
  CostLineBatch& lines = output.lines;
  lines.hour.push_back(kTestHour);
  lines.scope_id.push_back(line.scope);
  lines.node_id.push_back(line.node);
  lines.workload_id.push_back(line.workload);
  lines.cost_class.push_back(static_cast<std::int64_t>(line.cost_class));
  lines.gpu_time.push_back(GpuSeconds(60 * line.gpu_minutes));
  lines.gpu_cost.push_back(Money::Units(line.gpu_cost));
  lines.cpu_cost.push_back(Money::Units(line.cpu_cost));
  lines.overhead_cost.push_back(Money::Units(line.overhead_cost));
  for (auto* column :
       {&lines.memory_cost, &lines.storage_cost, &lines.network_cost, &lines.shared_cost}) {
    column->push_back(Money());
  }
}

inline void AddWorkload(AllocationOutput& output, const std::string& name, const std::string& team,
                        const std::string& reason) {
  AllocationWorkloadBatch& w = output.workloads;
  for (auto* column : {&w.cluster, &w.source, &w.ns, &w.workload_kind, &w.account, &w.user_name,
                       &w.queue, &w.environment, &w.workload_type, &w.model, &w.cost_center}) {
    column->push_back("");
  }
  w.workload.push_back(name);
  w.team.push_back(team);
  w.reason.push_back(reason);
}

inline void AddScope(AllocationOutput& output, const std::string& issuer,
                     const std::string& currency) {
  AllocationScopeBatch& scopes = output.scopes;
  scopes.provider.push_back(issuer);
  scopes.issuer.push_back(issuer);
  scopes.account.push_back("1");
  scopes.currency.push_back(currency);
  const Window month = MonthOf(kTestHour);
  scopes.billing_begin.push_back(month.begin);
  scopes.billing_until.push_back(month.until);
}

inline void AddNode(AllocationOutput& output, const std::string& name) {
  AllocationNodeBatch& nodes = output.nodes;
  for (auto* column : {&nodes.cluster, &nodes.instance_type, &nodes.gpu_model, &nodes.capacity_type,
                       &nodes.region, &nodes.zone, &nodes.sunk}) {
    column->push_back("");
  }
  nodes.node.push_back(name);
}

// Teams nlp (30 min used, 30 unused) and vision (60 min with no signal), an unlabelled charge
// of 5 EUR from another issuer, and 60 idle minutes.
inline AllocationOutput TestOutput() {
  AllocationOutput output;
  AddScope(output, "AWS", "USD");
  AddScope(output, "GCP", "EUR");
  AddNode(output, "a");
  AddNode(output, "b");
  AddWorkload(output, "train", "nlp", "");
  AddWorkload(output, "serve", "vision", "");
  AddWorkload(output, "Support", "", "no-label");
  AddLine(output, {0, 0, 0, CostClass::kUsed, 30, 10, 1, 0});
  AddLine(output, {0, 0, 0, CostClass::kUnused, 30, 10, 1, 0});
  AddLine(output, {0, 1, 1, CostClass::kUsageUnknown, 60, 40, 2, 0});
  AddLine(output, {0, 1, kNoId, CostClass::kWaste, 60, 20, 0, 0});
  AddLine(output, {1, kNoId, 2, CostClass::kNone, 0, 0, 0, 5});
  return output;
}

}  // namespace plimsoll
