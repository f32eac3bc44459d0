// Laws of lifetimes and lengths of time as people write them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "purchase/spot/lifetime.h"
#include "units/time.h"

namespace plimsoll {

// "45m", "1h30m", "4.5h", "2.09h", "0": numbers with w, d, h, m, s or ms, the largest first, each
// at most once, with up to nine decimals; rounded to milliseconds, half to even. Fails with
// kInvalidArgument on anything else or past 100 years.
Result<Duration> ParseSpan(std::string_view text);

// "exponential" of mean `mtbf`; "weibull:k=0.56,scale=2.09h", or without scale of mean `mtbf`;
// "bathtub:a=0.5,tau1=1h,tau2=0.8h,b=24h,cap=24h", each of which may be left out. A number without
// a unit is hours. Fails with kInvalidArgument: an unknown law or parameter, no mean or two.
Result<Lifetime> ParseLifetime(std::string_view text, std::optional<Duration> mtbf);

}  // namespace plimsoll
