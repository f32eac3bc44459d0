// ExactFigure: statistics as the whole numbers that answers are written in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "units/time.h"

namespace plimsoll {

// A share or ratio in billionths, to the nearest; null if it is infinite or beyond 9e9.
std::optional<std::int64_t> Billionths(double ratio);

// Milliseconds as a time, to the nearest; null if infinite or beyond 10,000 years.
std::optional<Duration> WholeMillis(double ms);

}  // namespace plimsoll
