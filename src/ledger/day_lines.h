// DayLines: cost lines added up over the hours and nodes of a day, for questions that name
// neither. A month of a large fleet is then a million rows instead of fifteen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/cost_line.h"

namespace plimsoll {

// One row a (UTC day, scope, workload, class), in that order: hour is the day's begin, node_id
// is kNoId. A sum of money that a row cannot hold is divided over several rows.
CostLineBatch AddUpDays(const CostLineBatch& lines);

}  // namespace plimsoll
