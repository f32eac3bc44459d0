// TrainingChangeView: what `plan training --what-if` says: two fleets under the same jobs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capacity/sizing/outcome_difference.h"
#include "cli/training_cells.h"

namespace plimsoll {

struct TrainingChange {
  TrainingScope scope;
  std::string what;  // "groups.h100=12", as it was asked
  std::vector<OutcomeDifference> differences;
  std::optional<Money> cost_before, cost_after;  // a month
};

// Table differences.
Answer ChangeAnswer(const TrainingChange& change);

}  // namespace plimsoll
