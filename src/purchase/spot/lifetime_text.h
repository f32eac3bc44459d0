// Laws of lifetimes as people write them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "purchase/spot/lifetime.h"
#include "units/time.h"

namespace plimsoll {

// "exponential" of mean `mtbf`; "weibull:k=0.56,scale=2.09h", or without scale of mean `mtbf`;
// "bathtub:a=0.5,tau1=1h,tau2=0.8h,b=24h,cap=24h", each of which may be left out. A number without
// a unit is hours. Fails with kInvalidArgument: an unknown law or parameter, no mean or two.
Result<Lifetime> ParseLifetime(std::string_view text, std::optional<Duration> mtbf);

}  // namespace plimsoll
