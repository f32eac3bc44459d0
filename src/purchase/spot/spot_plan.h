// SpotPlan: whether a run should be bought on spot, how often it should save, what that saves net.
//
// Closed forms beside a simulation of the same run; every amount is exact and every deduction
// from the saving is a line: gross saving - deductions = net saving.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "purchase/spot/spot_cost.h"
#include "purchase/spot/spot_outcome.h"
#include "purchase/spot/spot_run.h"

namespace plimsoll {

struct SpotQuestion {
  SpotQuestion(Lifetime of_node) : run(std::move(of_node)) {}  // NOLINT: the one it is about

  // An interval of 0 takes the best one; give_up, on_demand_interval and aged intervals are set by
  // the plan.
  SpotRunModel run;
  bool by_age = false;  // intervals by the age of the instance, in place of one interval
  Duration step;        // of training: intervals are whole steps; 0: any
  SpotPrices prices;
  SpotSampling sampling;
  // How likely the deadline must be met for a policy to be advised.
  std::int64_t on_time_ppb = 950'000'000;
};

// What an instance of some age has before it, of lives that do have an age.
struct SpotAge {
  Duration age;
  std::int64_t survives_hour_ppb = 0;
  Duration interval;  // of its next checkpoint, by age
};

// Saving of one policy against on demand. gross - sum of deductions = net, to the nano.
struct SpotSaving {
  Money on_demand;  // mean cost of the same run on demand, its own failures and penalty too
  Money gross;      // on_demand - work at the spot price
  std::array<Money, kSpotLines> deductions{};
  Money net;
};

struct SpotPlan {
  Duration job_mtbf;  // mean life of a node / nodes
  Duration interval_young, interval_daly, interval_optimal, interval;
  std::int64_t interval_steps = 0;  // of `interval`; 0 without a step
  // (work / interval) segments, and whole segments with a last shorter one. Null where no closed
  // form holds: saves on notice, several nodes that age, intervals by age.
  std::optional<Duration> expected_even, expected_exact;
  bool never_ends = false;  // a closed form holds and says: not in a hundred thousand years
  std::optional<std::int64_t> first_order_waste_ppb;  // of time; null: not memoryless
  std::int64_t discount_ppb = 0;                      // 1 - spot / on demand; may be below 0
  // Of one node, at the best interval, for lives without memory. Null: no MTBF does.
  std::optional<Duration> break_even_mtbf;
  std::optional<std::int64_t> break_even_discount_ppb;  // above it spot is cheaper
  std::vector<SpotAge> ages;                            // empty if memoryless
  std::vector<SpotOutcome> outcomes;                    // on_demand, spot_only[, fallback]
  std::vector<SpotSaving> savings;                      // of each
  // How long it pays to wait for spot before the start: what the net saving of spot only leaves
  // after the hours that it ends later, by what an hour's delay costs. Null if nobody told that.
  std::optional<Duration> worth_waiting;
  SpotPolicy advised = SpotPolicy::kOnDemand;
  bool advised_meets_deadline = true;  // as likely as was asked for

  const SpotOutcome& of(SpotPolicy policy) const {
    return outcomes[static_cast<std::size_t>(policy)];
  }
};

// Fails with kInvalidArgument, naming what is wrong of the question.
Result<SpotPlan> PlanSpot(SpotQuestion question);

}  // namespace plimsoll
