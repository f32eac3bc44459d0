// NodeTable: every node of one allocation, once, in (cluster, node) order (rule S2).
//
// Gathered from node rows and from names that holdings, bindings and usage mention: of those
// nothing is known but the name. Billed machines that nothing else knows are added last.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocation/allocation.h"
#include "allocation/text_ids.h"

namespace plimsoll {

struct NodeFact {
  Symbol cluster, node;
  std::string provider_id, instance_type, region, zone, capacity_type, gpu_model;
  std::int64_t gpu_count = 0, cpu_milli = 0, memory_bytes = 0;  // as the node row says
  std::optional<Instant> begin, until;                          // existence
  bool no_telemetry = false;                                    // only the bill knows it
  // Of a node that only holdings name (job accounting without a node list): when something
  // was held on it, in order, not overlapping. It exists then, with the most GPUs held at once.
  std::vector<Window> held_only;

  // Physical GPUs as a fraction and capacities, the catalog's shape before the node's own
  // word; gpu_num 0 if neither says: then the devices seen are counted.
  std::int64_t gpu_num = 0, gpu_den = 1;
  std::int64_t cpu_capacity = 0, memory_capacity = 0;
};

// Finds nodes by name; remembers the last one, since rows come grouped.
class NodeTable {
 public:
  // REQUIRES: input's batches have columns of equal length.
  static NodeTable Gather(const AllocationInput& input, const Window& window);

  std::int32_t Find(Symbol cluster, Symbol node) const;  // -1 if unknown
  // Node of a usage row of the gathered input; -1 if its hour is outside the window.
  std::int32_t OfUsage(std::size_t row) const { return of_usage_[row]; }
  // Adds nodes and sorts; returns the new id of each old one, then of each added one.
  std::vector<std::int32_t> Add(std::vector<NodeFact> nodes);

  const std::vector<NodeFact>& nodes() const { return nodes_; }
  const NodeFact& at(std::int32_t id) const { return nodes_[static_cast<std::size_t>(id)]; }
  // Takes gpu_num, gpu_den and capacities from the catalog's shapes and the rows.
  void Measure(const Catalog& catalog);

 private:
  void See(Symbol cluster, Symbol node);
  void MeasureByHoldings(const HoldingBatch& holdings, const Window& window,
                         const std::vector<bool>& is_known);
  void Index();

  std::vector<NodeFact> nodes_;
  std::vector<std::int32_t> of_usage_;
  SymbolPairs<std::int32_t> ids_;  // (cluster, node) -> id
  mutable std::int32_t last_ = -1;
};

}  // namespace plimsoll
