// Explain: from one figure back to the charges, hours, prices and rules behind it.
//
// A figure is a window and a filter: what `allocate`, the report and the API print is the sum
// of the cost lines that it selects. Its explanation names every basis - a node, or a kind of
// charge that belongs to no node - with what the basis cost in the window, the charges (or the
// price) that cost comes from, and how much of it is this figure's. The parts add up, and the
// explanation says so by adding them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"
#include "ledger/query.h"

namespace plimsoll {

struct Figure {
  Window window;
  std::string filter;
};

// "FILTER@BEGIN/UNTIL": what the report prints beside a figure and `explain` reads back.
std::string ToId(const Figure& figure);
// Fails with kInvalidArgument, showing the form. The window part must be two UTC times.
Result<Figure> ParseFigureId(std::string_view id);

// Charges of one kind for one basis; `cost` is the part of their effective cost that falls
// into the window.
struct ExplainedCharges {
  std::string issuer, service, description, category, pricing_category;
  std::int64_t snapshot_id = 0;
  std::int64_t charges = 0;
  std::int64_t first_line = 0, last_line = 0;  // in the bill file
  Money cost;
};

// One node, or (node empty) one kind of charge that belongs to no node.
struct ExplainedBasis {
  std::string cluster, node, instance_type, capacity_type;
  std::string service;                          // off-node: the charge's service
  std::string rung;                             // kRung*, several joined by "+"; "" off-node
  std::string price_source;                     // of unbilled rungs
  std::int64_t hours = 0;                       // node-hours in the window that cost something
  GpuHours gpu_time;                            // provisioned
  Money cost, gpu_cost, cpu_cost, memory_cost;  // in the window, everybody's
  Money billed_cost;                            // the part of `cost` that a bill states
  std::vector<ExplainedCharges> charges;
  GpuHours figure_gpu_time;
  Money figure_cost;
  std::string currency;
};

struct Check {
  std::string what;  // "charges of node gpu-1 = its cost"
  bool holds = false;
  std::string detail;  // both sides, if it does not hold
};

struct Explanation {
  Figure figure;
  std::vector<LedgerRow> totals;       // one a currency; keys: currency
  std::vector<LedgerRow> by_class;     // keys: class, currency
  std::vector<ExplainedBasis> bases;   // by the figure's cost, greatest first
  std::vector<std::string> rules;      // sentences: split weights, attribution, policies
  std::vector<std::string> snapshots;  // "12: charge AWS|1|USD 2026-11"
  std::vector<Check> checks;           // every sum above
};

// Brings the ledger up to date over the window first. Fails with kNotFound if no cost line
// is selected.
Result<Explanation> Explain(Ledger& ledger, const Figure& figure);

}  // namespace plimsoll
