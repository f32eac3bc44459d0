// SpendPlan: commitments of money an hour over several flavors (savings plans, spend-based CUDs).
//
// A plan is used hour by hour and lost if it isn't: use takes from it at the plan's own prices,
// not at those on demand - a commitment in on-demand dollars would be too large by the discount.
// The flavor with the greatest discount is covered first, in a tie the lower plan price; what the
// money does not reach is on demand. An hour's cost is convex and piecewise linear in the
// commitment, so the sum over hours is, and its optimum is found exactly on the grid in which
// plans are sold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "units/money.h"

namespace plimsoll {

// One flavor under a plan; both prices of a unit-hour.
struct SpendFlavor {
  Money on_demand;
  Money plan;  // above 0; at or above on_demand the flavor is covered last, and never worth it
};

// Hours by flavors, row by row: unit-milliseconds in use.
struct SpendUsage {
  std::size_t flavors = 0;
  std::vector<std::int64_t> used;  // hours x flavors

  std::size_t hours() const { return flavors == 0 ? 0 : used.size() / flavors; }
  std::int64_t at(std::size_t hour, std::size_t flavor) const {
    return used[hour * flavors + flavor];
  }
};

// What a commitment does over all hours. Amounts are rounded once each; `cost` is their sum.
struct SpendOutcome {
  Money cost;                   // cost_committed + cost_rest
  Money cost_committed;         // commitment x hours x `factor`
  Money cost_rest;              // on demand
  Money cost_on_demand;         // all use, without the plan
  Money used;                   // of the commitment, in plan money
  Money unused;                 // lost, in plan money
  std::vector<int128> covered;  // unit-milliseconds by flavor, rounded down
};

// Of a plan: what one currency unit of commitment costs (TermCost for all-upfront with a cost of
// capital; else 1), in billionths.
struct SpendOptions {
  std::int64_t factor = 1'000'000'000;
  Money step = Money::FromNanos(1'000'000);  // plans are sold in thousandths an hour
};

// REQUIRES: usage.flavors == flavors.size(), commitment >= 0
SpendOutcome ApplySpend(const SpendUsage& usage, std::span<const SpendFlavor> flavors,
                        Money commitment, const SpendOptions& options = {});

// The commitment an hour, a multiple of options.step, at the least cost; of those whose costs
// over all hours are within a nano the smallest. Fails with kOutOfRange past 10,000,000 an hour.
Result<Money> BestSpend(const SpendUsage& usage, std::span<const SpendFlavor> flavors,
                        const SpendOptions& options = {});

// What full use of the plan takes in its greatest hour: the largest commitment worth looking at.
Money FullCover(const SpendUsage& usage, std::span<const SpendFlavor> flavors);

// What the commitment leaves to others, hour by hour: the use that it does not cover.
SpendUsage RestOf(const SpendUsage& usage, std::span<const SpendFlavor> flavors, Money commitment);

}  // namespace plimsoll
