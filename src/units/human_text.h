// Lengths of time, shares and whole numbers as people write them on a command line or in a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "units/time.h"

namespace plimsoll {

// "45m", "1h30m", "4.5h", "2.09h", "0": numbers with w, d, h, m, s or ms, the largest first, each
// at most once, with up to nine decimals; rounded to milliseconds, half to even. Fails with
// kInvalidArgument on anything else or past 100 years.
Result<Duration> ParseSpan(std::string_view text);

// "0.35", "35%" or "2/6", from 0 to 1, in parts per billion, half to even. Fails with
// kInvalidArgument.
Result<std::int64_t> ParseShare(std::string_view text);

// A decimal whole number in [least, most], all of the text and nothing else, no "+"; null if `text`
// is none.
std::optional<std::int64_t> ParseWhole(
    std::string_view text, std::int64_t least = std::numeric_limits<std::int64_t>::min(),
    std::int64_t most = std::numeric_limits<std::int64_t>::max());

}  // namespace plimsoll
