// MixReason: a decision in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "purchase/mix/mix_plan.h"

namespace plimsoll {

// "reserved", "on demand", "spot", "spot + fallback", or several: "reserved + spot".
std::string WaysOf(const MixDecision& decision);

// Why it is bought so, with the figures; `side` is what spot would be.
std::string ReasonOf(const MixWorkload& workload, const MixDecision& decision,
                     const SpotSide& side);

}  // namespace plimsoll
