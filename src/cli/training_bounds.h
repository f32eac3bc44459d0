// TrainingBounds: lower bounds and closed forms from the jobs on record, for `plan training`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/training_grid_view.h"
#include "cli/training_settings.h"

namespace plimsoll {

// The six bounds that these jobs put on any fleet, each where it says something.
std::vector<BoundRow> BoundRows(const TrainingModel& model, const TrainingWorkload& workload);

// Bounds of grid axes that hold in every run of the same jobs (targets of all jobs).
std::vector<CertainBound> CertainBounds(const TrainingModel& model,
                                        const TrainingSettings& settings,
                                        const SizingTargets& targets,
                                        const TrainingWorkload& workload);

// Closed forms of each class, and of the gangs by the load of jobs as large.
std::vector<FormulaRow> FormulaRows(const SizingTargets& targets, const TrainingWorkload& workload,
                                    const Cluster& cluster);

}  // namespace plimsoll
