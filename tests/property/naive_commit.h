// Commitments bought by trying every combination: no curve, no levels, no search.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "purchase/commit/spend_plan.h"
#include "purchase/commit/unit_plan.h"

namespace plimsoll {

struct NaiveForecast {
  std::vector<std::int64_t> used;  // unit-milliseconds, one an hour
  std::vector<ForecastMonth> months;
  std::int64_t step = 1;
};

// Nanos x kUnitHour x kWhole x hours of what the purchases and the rest on demand cost.
int128 NaiveCost(const NaiveForecast& forecast, std::span<const UnitOffer> offers,
                 std::span<const UnitPurchase> purchases);

// The least of NaiveCost over all quantities from 0 to `most` of all offers at all begins that
// are multiples of their term.
int128 NaiveLeast(const NaiveForecast& forecast, std::span<const UnitOffer> offers,
                  std::int64_t most);

// The vertices of the linear program of a spend commitment, each tried: the least cost times
// `denominator`, which all plan prices divide, and the smallest commitment that has it. Whole
// units and prices only.
struct NaiveSpend {
  int128 cost = 0;
  std::int64_t commitment = 0;
};
NaiveSpend NaiveBestSpend(const std::vector<std::vector<std::int64_t>>& hours,
                          const std::vector<std::int64_t>& on_demand,
                          const std::vector<std::int64_t>& plan, std::int64_t denominator);

}  // namespace plimsoll
