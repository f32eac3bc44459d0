// DemoTruth: what the ledger must say of the demo, computed from the fleet alone.
//
// An independent and naive reading of the rules, minute by minute, in exact integers:
// - the twelfth that begins at a sample is spoken for by that sample;
// - a held minute before readiness is startup, then used and unused by the busy percent, or
//   usage_unknown without a sample;
// - an unheld card is unavailable in a twelfth without its sample but with a sibling's, if
//   nothing holds it in that twelfth; busy_unattributed in a wholly unheld twelfth that is
//   at least 1 % busy; else waste, or stranded in a twelfth over all of which pods or jobs of
//   the cluster waited, each for more cards of one node than are free there, or for whole
//   cards where a part of one is left;
// - a node-hour costs its split weights (90 a GPU, 9 a vCPU, 1 a GiB) times a price; CPU and
//   memory follow the holder's GPU time; what is not requested is waste;
// - charges without a node keep class none and belong to their team tag.
// - a spot node saves its list cost less its cost; what an eviction lost of it costs the list price
//   of that time, each node rounded half to even; a node that is gone was taken from work.
// - a run's and a service's figures are taken while its events are made (produced.h).
// Prices, times and shapes are such that each (node, hour, workload, class) is whole
// GPU-milliseconds and whole nanos: MIG services run one replica on each of seven cards, so
// their sevenths add up. TruthOf checks it and ends the process otherwise (our own bug).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "demo/fleet.h"
#include "model/cost_line.h"

namespace plimsoll {

// `who` is a team; or a reason (no-label, unknown-value); or "" for nobody. `node` is "" off
// any node.
struct DemoKey {
  std::string who;
  CostClass cost_class = CostClass::kNone;
  std::string node;
  friend auto operator<=>(const DemoKey&, const DemoKey&) = default;
};

struct DemoValue {
  GpuHours gpu_time;
  Money cost;  // effective: all columns of a cost line together
  friend bool operator==(const DemoValue&, const DemoValue&) = default;
};

struct DemoTotalKey {
  std::string issuer, account, currency;
  Window period;         // billing period
  std::string category;  // FOCUS ChargeCategory
  friend auto operator<=>(const DemoTotalKey&, const DemoTotalKey&) = default;
};

struct DemoTotal {
  Money billed, effective;
  friend bool operator==(const DemoTotal&, const DemoTotal&) = default;
};

// What spot saved over the window, by the bill's list costs.
struct DemoSpotTruth {
  Money effective, gross, recomputation, restart;
  std::int64_t evictions = 0;
  friend bool operator==(const DemoSpotTruth&, const DemoSpotTruth&) = default;
};

struct DemoTruth {
  std::map<DemoKey, DemoValue> lines;
  std::map<DemoTotalKey, DemoTotal> totals;
  std::map<std::string, DemoRunTruth> runs;          // by run
  std::map<std::string, DemoServiceTruth> services;  // by service
  std::map<std::string, DemoSpotTruth> spot;         // by currency
};

// What a ledger answered, in the same shape; filled by the caller.
using DemoResult = DemoTruth;

DemoTruth TruthOf(const DemoFleet& fleet);

// Every difference as one sentence, truth first; empty if all are equal. Rows of nothing (no
// time and no money) count as absent.
std::vector<std::string> CompareWithTruth(const DemoTruth& truth, const DemoResult& result);

}  // namespace plimsoll
