// MixPlan: a way to buy for each workload - reserved, on demand, spot - and what to commit to.
//
// Flavors are planned one by one; within one, runs on spot and units of its cheapest offer are
// the joint optimum (fleet_choice.h). Amounts are of a month of 730 hours. Every deduction from
// the saving is a line: gross saving - deductions = net saving = cost as is - cost of the plan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/commitment.h"
#include "purchase/mix/fleet_choice.h"
#include "purchase/mix/spot_side.h"
#include "purchase/mix/workload.h"

namespace plimsoll {

struct MixOptions {
  Instant start;                     // existing commitments that are in force then count
  std::int64_t cost_of_capital = 0;  // a year, billionths
  SpotRules spot;
};

struct MixQuestion {
  std::vector<MixWorkload> workloads;
  std::vector<MixFlavor> flavors;
  std::vector<CommitmentOffer> offers;
  std::vector<ExistingCommitment> existing;
  MixOptions options;
};

// Instance-milliseconds a month. Of spot: useful ones of instances, those in use of a run; a run's
// hours on demand near its deadline are among them.
struct MixUse {
  int128 reserved = 0, on_demand = 0, spot = 0;
};

struct MixDecision {
  std::size_t workload = 0;  // of the question
  MixUse use;
  std::string spot_flavor;                    // "" if nothing is on spot
  SpotPolicy policy = SpotPolicy::kSpotOnly;  // of a run on spot
  std::string reason;
  // What each way would cost alone; null: not allowed or not offered.
  Money cost_on_demand;  // penalties too
  std::optional<Money> cost_spot, cost_reserved;
  // What it costs in the plan: cost_committed is its part of the commitments in use.
  Money cost, cost_committed, cost_rest, cost_spot_work;
  std::array<Money, kSpotLines> lines{};  // on top of cost_spot_work
  Money penalty_on_demand;                // of deadlines missed off spot
  // Of one run: how long it takes, how likely it is on time.
  std::optional<Duration> time_on_demand, time_spot;
  std::optional<std::int64_t> on_time_on_demand_ppb, on_time_spot_ppb;
  std::optional<std::int64_t> evictions_ppb;  // of one run, expected
  std::optional<Duration> break_even_mtbf;    // spot is cheaper above it
  std::optional<Money> break_even_price;      // spot is cheaper below it
  std::optional<Duration> return_pays_from;   // work left for which a return to spot pays
  std::optional<Duration> wait_up_to;  // for spot, then on demand; null without a value of waiting
  std::optional<bool> waits;           // of instances: in a shortage of spot
};

struct MixPurchase {
  std::string flavor, offer;
  CommitmentKind kind = CommitmentKind::kReservedInstance;
  std::int64_t months = 0, units = 0;
  Money hourly;        // of a unit
  Money cost, unused;  // a month, of all units; unused is the part of hours that nothing uses
  Money term_cost;     // of all units
  std::int64_t break_even_ppb = 0;
  std::optional<std::int64_t> utilization_ppb;
  Money saving;  // a month, against the same plan without it
};

struct MixExisting {
  std::string flavor;
  std::int64_t units = 0;
  Money cost, unused;  // a month
  Instant expires;     // the first of them
};

struct MixTotals {
  Money on_demand;  // all of the load, no commitments
  Money as_is;      // the same with existing commitments
  Money cost, cost_existing, cost_purchases, cost_on_demand, cost_spot;
  Money gross_saving, net_saving;
  Money unused_purchases;
  std::array<Money, kSpotLines> lines{};
};

struct MixPlan {
  std::int64_t hours = 0;              // of the cycle that was planned
  std::vector<MixDecision> decisions;  // without workloads that have no price
  std::vector<MixPurchase> purchases;
  std::vector<MixExisting> existing;
  std::vector<MixRejection> rejected;
  std::vector<std::string> unpriced;  // workloads that are in no total
  MixTotals totals;
  bool proven = true;
  Money cost_least;  // no choice of runs and units costs less; = totals.cost if proven
};

// Fails with kInvalidArgument: no workloads, cycles too long to plan together, a question that
// PlanSpot refuses; with kOutOfRange past a million units or $10,000,000 an hour.
Result<MixPlan> PlanMix(const MixQuestion& question);

}  // namespace plimsoll
