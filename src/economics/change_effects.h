// Change effects: why a cost moved from one window to the next.
//
// The cost of what was produced is output x share of each segment x GPU-time for one unit of
// output x price of GPU-time. The factors are moved from before to after in that order, one at
// a time; each effect is the difference of two totals, so the effects add up to the change
// exactly (a chain of substitutions, as in variance analysis).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "units/money.h"
#include "units/quantity.h"

namespace plimsoll {

// What one segment (a service, a model, an experiment) produced in a window, and for what.
struct SegmentOutput {
  std::int64_t output = 0;  // tokens, samples: one unit over all segments
  GpuHours gpu_time;
  Money cost;
};
using Segments = std::map<std::string, SegmentOutput>;

struct ChangeEffects {
  Money before, after;
  Money volume;      // more or less output at the old unit cost
  Money mix;         // output moved between dearer and cheaper segments
  Money efficiency;  // GPU-time for one unit of output
  Money price;       // cost of one GPU-hour
};

// volume + mix + efficiency + price == after - before. A segment without output or GPU-time in
// one of the windows has no factors there to compare: its coming and going is mix.
// Fails with kInvalidArgument if one window has no output (nothing to compare), with
// kOutOfRange past 38 digits.
Result<ChangeEffects> EffectsOf(const Segments& before, const Segments& after);

}  // namespace plimsoll
