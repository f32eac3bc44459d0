// The weekly report's training runs and services, from the database and the configuration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "cli/context.h"
#include "report/unit_week.h"

namespace plimsoll {

// Of `window` and of as many windows before it as the unit alerts look back at. A run's cost in a
// window is what the cost lines of its jobs and pods there say. Empty without runs and requests.
Result<UnitWeek> GatherUnitWeek(Context& context, Window window);

}  // namespace plimsoll
