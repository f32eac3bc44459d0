// UnitTrend: the cost of one unit of output, window after window: where it went, and whether
// the last step is out of the ordinary.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "economics/change_effects.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

struct UnitPoint {
  Window window;
  Segments segments;
};

// All cost of the window for `block` units of its output, half to even; null without output.
// Fails with kOutOfRange past 38 digits.
Result<std::optional<Money>> UnitCostOf(const Segments& segments, std::int64_t block);

struct UnitBand {
  std::int64_t percent = 20;  // beyond it, up or down, a move is an alert
  std::int64_t windows = 4;   // that are looked back at, at most
};

struct UnitMove {
  Money usual;  // for a block, over the windows looked back at: their cost / their output
  Money now;
  std::int64_t permille = 0;  // change against the usual, rounded half to even
  bool is_alert = false;      // beyond the band
};

// The last of `points` (oldest first) against those before it; null if it has no output, or none
// of those that are looked back at has. REQUIRES: block > 0. Fails with kOutOfRange.
Result<std::optional<UnitMove>> MoveOf(const std::vector<UnitPoint>& points, std::int64_t block,
                                       const UnitBand& band);

}  // namespace plimsoll
