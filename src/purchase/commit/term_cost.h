// Term cost: what an offer costs over its whole term, with what is paid early weighed by the cost
// of capital. The one place where upfront and hourly payments become one amount.
//
// Months have 730 hours, a year 8,760: an amount for a term of n months is one for 730 n hours,
// and is kept so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "model/commitment.h"

namespace plimsoll {

inline constexpr std::int64_t kHoursPerMonth = 730;

// Equal payments at each month's end that are worth `upfront` today, added up:
//   upfront x n x i / (1 - (1 + i)^-n),  i = (1 + r)^(1/12) - 1
// $100,000 for 12 months at 8 % is 104,231.29 (11.898549 an hour); without cost of capital it is
// itself. Rounded once, half to even.
// REQUIRES: 0 < months <= 60; 0 <= rate_billionths <= 1e9; 0 <= upfront <= 1e7 currency units
Money SpreadUpfront(Money upfront, std::int64_t months, std::int64_t rate_billionths);

// Of one unit of `flavor` under an offer of units over its term; of a commitment of one currency
// unit an hour under an offer of money, of which all-upfront pays all at the begin and partial
// half. Fails with kNotFound if the offer has no price for the flavor.
Result<Money> TermCost(const CommitmentOffer& offer, std::string_view flavor,
                       std::int64_t rate_billionths);

// The offer's price of a flavor: its own, else that of "*". Null if there is none.
const Money* PriceOf(const CommitmentOffer& offer, std::string_view flavor);

// An amount for a term as one for an hour, rounded half to even.
Money HourlyOf(Money term_cost, std::int64_t months);

// What is wrong with the offer's terms, or Ok: a resource CUD with an upfront payment, money for
// a reservation, an upfront without an amount... kInvalidArgument with the offer's name.
Status CheckOffer(const CommitmentOffer& offer);

}  // namespace plimsoll
