// EvictionRate: evictions of an instance-hour, with the exact interval of a Poisson count.
//
// Garwood (1936), Biometrika 28: of n events the 95 % interval of their mean is from the mean at
// which n or more have a chance of 2.5 % to that at which n or fewer have; it is
// chi2(0.025; 2n) / 2 to chi2(0.975; 2n + 2) / 2. Rates are in billionths per instance-hour.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "units/time.h"

namespace plimsoll {

struct PoissonInterval {
  double low = 0, high = 0;
};

// Of the mean of a count. REQUIRES: 0 <= count <= 10^7
PoissonInterval PoissonMeanInterval(std::int64_t count);

struct EvictionRate {
  std::int64_t rate = 0, low = 0, high = 0;
};

// Null without instance time. REQUIRES: 0 <= evictions <= 10^7
std::optional<EvictionRate> EvictionRateOf(std::int64_t evictions, Duration instance_time);

}  // namespace plimsoll
