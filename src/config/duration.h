// Durations as people write them: "5m", "1h30m", "7d".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "units/time.h"

namespace plimsoll {

// Whole numbers with units ms, s, m, h, d (24 hours), w (7 days), largest unit first, each
// at most once. Fails with kInvalidArgument on anything else, a sum of zero or past ten years.
Result<Duration> ParseDuration(std::string_view text);

// The shortest such text: "1h30m". "0s" for zero.
std::string FormatDuration(Duration duration);

}  // namespace plimsoll
