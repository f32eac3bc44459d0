// Ladder: one purchase split over months, so that a part of it can be decided again as the others
// have shown what use does, and no more than a part expires at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "purchase/commit/unit_plan.h"

namespace plimsoll {

struct LadderRung {
  std::int64_t month = 0;  // of the purchase, after the first
  std::int64_t units = 0;
  std::int64_t units_total = 0;  // with those before it
  std::int64_t ends_month = 0;   // the first month without it
  Money saving_forgone;          // against buying all of it in month 0
};

// `units` of the offer in `rungs` parts, a month apart, that add up to it exactly; the earlier
// ones are the larger if it does not divide. Parts are multiples of the forecast's step; those of
// nothing are left out. Fails with kInvalidArgument on fewer than 1 or more rungs than 24 or than
// the term has months.
// REQUIRES: the forecast has at least the offer's months
Result<std::vector<LadderRung>> LadderOf(const UnitForecast& forecast, const UnitOffer& offer,
                                         std::int64_t units, std::int64_t rungs);

}  // namespace plimsoll
