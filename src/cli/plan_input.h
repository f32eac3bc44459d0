// PlanInput: what the plan commands read from their options, and numbers as they print them.
//
// Each reads one option's text; errors name the option and how to write it (kInvalidArgument).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

Error OptionError(const std::string& option, const std::string& what);

// A length of time as units/human_text.h reads it.
Result<Duration> SpanOption(const std::string& option, const std::string& text);
// A share from 0 to 1, in parts per billion.
Result<std::int64_t> ShareOption(const std::string& option, const std::string& text);
// Money from 0 on.
Result<Money> AmountOption(const std::string& option, const std::string& text);
// A price for an hour, from 0 to a million.
Result<Money> HourlyPriceOption(const std::string& option, const std::string& text);
// A whole number from 1 to a billion.
Result<std::int64_t> CountOption(const std::string& option, const std::string& text);
// Gigabytes with up to three decimals, in megabytes.
Result<std::int64_t> GigabytesOption(const std::string& option, const std::string& text);

// Billionths as a number with nine places: 555'000'000 is "0.555000000".
std::string BillionthsText(std::int64_t billionths);

// Hours with nine places.
std::string HoursText(Duration duration);

}  // namespace plimsoll
