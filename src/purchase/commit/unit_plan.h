// UnitPlan: which commitments of units to buy for one flavor, and when, at the least cost.
//
// A unit more is bought on an offer as long as the on-demand cost of the hours in which it would
// be used is above what it costs: with one offer, the greatest q with P(use >= q) > committed /
// on-demand over hours (never over daily averages). Ties go to the smaller quantity.
//
// Over several terms: units are levels, use fills them from below, so the lower a level the more
// it is used, month by month. A commitment of a long term covers all of its months; within, the
// levels above it are decided a shorter term at a time. As terms divide each other, commitments
// nest and the choice level by level is the optimum (tests/property/commit_property_test.cc holds
// it against all combinations). All comparisons are of integers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "purchase/commit/usage_curve.h"

namespace plimsoll {

// What is expected of one month of 730 hours.
struct ForecastMonth {
  std::int64_t scale = UsageCurve::kWhole;  // of the measured use, in millionths
  Money on_demand;                          // the price of a unit-hour
  std::int64_t existing_units = 0;          // commitments in force; they are used first

  friend bool operator==(const ForecastMonth&, const ForecastMonth&) = default;
};

struct UnitForecast {
  const UsageCurve* curve = nullptr;  // the hours of a month are distributed as its hours
  std::vector<ForecastMonth> months;
  std::int64_t step = 1;  // units are sold by so many
};

struct UnitOffer {
  std::int64_t months = 12;
  Money term_cost;  // of one unit for the term (TermCost)
};

// A purchase at the begin of a month of the forecast.
struct UnitPurchase {
  std::size_t offer = 0;
  std::int64_t begin_month = 0;
  std::int64_t units = 0;

  friend bool operator==(const UnitPurchase&, const UnitPurchase&) = default;
};

// The optimum, longest terms first, then by month; of offers with the same term the cheapest
// counts, the earlier in a tie. Offers whose term is longer than the forecast are left out.
// Fails with kInvalidArgument if terms do not divide each other or the forecast, kOutOfRange past
// use of a million units or $10,000,000 an hour.
Result<std::vector<UnitPurchase>> BestPurchases(const UnitForecast& forecast,
                                                std::span<const UnitOffer> offers);

// What the forecast costs with these purchases; amounts are of all its months.
struct UnitOutcome {
  Money cost;            // commitments and the rest on demand, without existing ones
  Money cost_committed;  // of the purchases
  Money cost_on_demand;  // of what neither purchases nor existing ones cover
  Money cost_without;    // of the same months without the purchases
  Money stranded;        // of cost_committed, what hours without use cost
};
UnitOutcome OutcomeOf(const UnitForecast& forecast, std::span<const UnitOffer> offers,
                      std::span<const UnitPurchase> purchases);

}  // namespace plimsoll
