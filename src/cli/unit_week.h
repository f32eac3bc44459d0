// The weekly report's training runs and services, from the database and the configuration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "cli/context.h"
#include "report/unit_week.h"

namespace plimsoll {

// Of `window` and of as many windows before it as the unit alerts look back at. A run's cost falls
// on a window by its held GPU time there. Empty without runs and requests.
Result<UnitWeek> GatherUnitWeek(Context& context, Window window);

}  // namespace plimsoll
