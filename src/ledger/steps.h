// Steps: a window cut into equal steps on the clock that people read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/zone.h"
#include "units/time.h"

namespace plimsoll {

// Every form that CutIntoSteps reads, for help texts.
inline constexpr const char* kStepForms = "1h, 6h, 1d, 1w or window";

// Consecutive windows that cover `window`, the last cut to it; "window" is one. Hours count
// from the window's begin. Days and weeks (from Monday) are the zone's, so that a day may have
// 23 or 25 hours and the first step is cut too; several days or weeks count from the first.
// Borders are whole UTC hours: in a zone that is off by 30 or 45 minutes the hour before.
// Fails with kInvalidArgument on anything else or on more than 100,000 steps.
// REQUIRES: window is whole UTC hours and not empty
Result<std::vector<Window>> CutIntoSteps(Window window, std::string_view step, const Zone& zone);

}  // namespace plimsoll
