// The weekly report's waits, idle GPUs and gangs, from the database.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/result.h"
#include "cli/context.h"
#include "ledger/facts.h"
#include "ledger/ledger.h"
#include "report/capacity_week.h"

namespace plimsoll {

CapacityWeek CapacityWeekOf(const OccupancyFacts& facts, const Catalog& catalog, Window window);

// Of `window`, up to the end of the data where that comes first. Null without nodes and jobs.
Result<std::optional<CapacityWeek>> GatherCapacityWeek(Context& context, Ledger& ledger,
                                                       Window window);

}  // namespace plimsoll
