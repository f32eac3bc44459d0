// Spread: one charge's cost over the UTC hours it covers (rule S4).
//
// By largest remainder over all hours of the charge, weighted by the milliseconds it covers
// of each, ties to the earlier hour. A window only picks hours, it never changes a part; the
// parts are computed in closed form, so a year-long charge costs no more than the window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/result.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

struct HourPart {
  Instant hour;
  Window covered;  // of the hour; empty for an instant charge
  Money cost;
};

// Appends the parts of `cost` over `charge` that lie in `window` (whole hours), in time
// order, zero parts too. A charge of no length is all in its hour.
// Fails with kOutOfRange past 38 digits.
Status SpreadOverHours(Money cost, const Window& charge, const Window& window,
                       std::vector<HourPart>& parts);

// The sum of those parts.
Result<Money> PartInWindow(Money cost, const Window& charge, const Window& window);

}  // namespace plimsoll
