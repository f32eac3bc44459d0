// SpendAdvice: what to commit to in money an hour over all flavors that a plan has prices for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/commitment.h"
#include "purchase/commit/scenario.h"
#include "purchase/commit/spend_plan.h"

namespace plimsoll {

// Several flavors over the same hours; each with as many `used` as there are hours.
struct SpendNeed {
  std::vector<std::string> flavors;
  std::vector<Money> on_demand;
  SpendUsage usage;
};

// The hours that every flavor has, or with `missing_is_zero` those that any has. Units in force
// (one count a flavor) are taken off first: they are used before a plan is.
SpendNeed SpendNeedOf(std::span<const HourlyUsage> usage, std::span<const Money> on_demand,
                      std::span<const std::int64_t> units_in_force, bool missing_is_zero);

struct SpendScenario {
  Money cost, cost_on_demand;   // of all months of the term
  Money unused;                 // commitment that is lost in them
  std::optional<Money> regret;  // against one who knew; null if too much is to be tried
};

struct SpendAdvice {
  std::string name;
  std::int64_t months = 0;
  std::vector<std::string> flavors;  // that the plan covers
  Money commitment;                  // an hour
  Money commitment_on_demand;        // what it covers in its fullest hour on average, on demand
  SpendOutcome outcome;              // of the measured hours, all flavors of the need
  std::vector<SpendScenario> scenarios;
};

// The optimum of one offer of money. A migration takes use to the target at one unit for one
// where the plan covers it; else the use is lost to the plan.
// Fails as BestSpend does, naming the offer.
Result<SpendAdvice> AdviseSpend(const SpendNeed& need, const CommitmentOffer& offer,
                                std::int64_t cost_of_capital, std::span<const Scenario> scenarios);

}  // namespace plimsoll
