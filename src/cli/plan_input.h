// PlanInput: what the plan commands read from their options: times with a fraction, prices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

// A duration as config/duration.h reads it, or one decimal with a unit: "0.1h", "1.5d". `option`
// names it in errors. Fails with kInvalidArgument: no such thing, or no whole milliseconds.
Result<Duration> ParsePlanTime(const std::string& option, const std::string& text);

// A price for an hour from 0 to a million. Fails with kInvalidArgument.
Result<Money> ParseHourlyPrice(const std::string& option, const std::string& text);

// Billionths as a number with nine places: 555'000'000 is "0.555000000".
std::string BillionthsText(std::int64_t billionths);

// Hours with nine places.
std::string HoursText(Duration duration);

}  // namespace plimsoll
