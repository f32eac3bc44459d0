// StartCurve: P(a gang starts within t) over t up to its own time, with intervals that never fall.
//
// At each t alone the interval is share_estimate.h's. P(start within t) cannot fall with t: what is
// at least true at a shorter time is so at a longer one, and what is at most true at a longer one
// is so at a shorter. So lower bounds are carried up and upper ones down, also between targets that
// ask the same gang at other times. An interval that is wide only because all (or none) of its
// trials hit takes the bound beside it. Each bound holds by itself at the confidence; the best of
// several is a little more hopeful than that.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "capacity/sizing/share_estimate.h"
#include "capacity/sizing/sizing_target.h"

namespace plimsoll {

struct CurvePoint {
  Duration within;
  ShareEstimate share;
};

// From 0 up to the gang's own time, in twelve steps; one point if that time is 0.
// REQUIRES: gang < targets.gangs.size(), as many gangs in each outcome
std::vector<CurvePoint> StartCurve(const SizingTargets& targets,
                                   std::span<const ReplicationOutcome> replications,
                                   std::size_t gang);

// Makes bounds of the same event never fall; no bound passes its own estimate. REQUIRES: in the
// order of time
void CarryBounds(std::span<CurvePoint> points);

}  // namespace plimsoll
