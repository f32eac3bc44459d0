// TrainingGridView: what `plan training` says of how many GPUs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capacity/sizing/grid_answer.h"
#include "cli/training_cells.h"
#include "cli/training_runs_view.h"

namespace plimsoll {

// A lower bound, and what it is about.
struct BoundRow {
  std::string name;     // work, gang, pinned, peak, deadlines, bins
  std::string flavors;  // "" for all
  std::string level;    // "" for the fleet
  std::int64_t gpus = 0;
  std::string about;  // a few words: when, which size
};

struct TrainingGrid {
  TrainingScope scope;
  const FleetGrid* grid = nullptr;
  const GridAnswer* answer = nullptr;
  std::vector<BoundRow> bounds;
  std::vector<FormulaRow> formulas;  // of the best fleet
};

// Tables best, fleets, targets, bounds, formulas, non_monotone.
Answer GridAnswerOf(const TrainingGrid& grid);

}  // namespace plimsoll
