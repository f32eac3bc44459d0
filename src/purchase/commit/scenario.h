// Scenarios: what may happen to use and prices after a commitment is bought.
//
// A scenario changes the months of a forecast; a purchase is then judged by what it costs there,
// what of it is stranded, and its regret: its cost over that of the best purchase made with the
// scenario known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "purchase/commit/unit_plan.h"

namespace plimsoll {

enum class ScenarioKind : unsigned char { kFlat, kGrowth, kDecline, kMigration, kPriceCut };

struct Scenario {
  ScenarioKind kind = ScenarioKind::kFlat;
  std::string name;  // as a person asked for it: "growth 10%"
  // Of growth and decline the rate a year, compounded by the month; of a migration the part of
  // use that leaves; of a price cut its part. Billionths.
  std::int64_t share = 0;
  std::int64_t from_month = 0;  // of migration and price cut: the first month that has it
  std::string target;           // of a migration: the flavor that use moves to, and which keeps it
};

// The months of `base` under the scenario, for `flavor`. A price cut lowers on-demand prices
// only: what is committed stays as it was signed. Prices are rounded half to even.
std::vector<ForecastMonth> MonthsUnder(const Scenario& scenario, std::vector<ForecastMonth> base,
                                       std::string_view flavor);

struct ScenarioOutcome {
  UnitOutcome bought;  // with the purchases of the plan
  UnitOutcome best;    // with those of one who knew
  std::vector<UnitPurchase> purchases_best;
  Money regret;  // bought.cost - best.cost, never negative
};

// Fails as BestPurchases does.
Result<ScenarioOutcome> Judge(const Scenario& scenario, UnitForecast forecast,
                              std::span<const UnitOffer> offers,
                              std::span<const UnitPurchase> purchases, std::string_view flavor);

// The part of the on-demand price by which it may fall, right after the purchase, until the
// purchases save nothing over the term; null if they save nothing as it is. Billionths.
//   a 45 % discount on what is always used: 450,000,000
std::optional<std::int64_t> BreakEvenPriceCut(const UnitForecast& forecast,
                                              std::span<const UnitOffer> offers,
                                              std::span<const UnitPurchase> purchases);

}  // namespace plimsoll
