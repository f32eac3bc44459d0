// TrainingFitView: how well the arrivals and run times that jobs are drawn from fit the record.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capacity/workload/workload_fit.h"
#include "cli/table.h"

namespace plimsoll {

// Tables arrival_fits (by queue) and run_fits (by queue and size), and a note of how to read them.
void AddFit(const WorkloadFit& fit, bool for_people, Answer& answer);

}  // namespace plimsoll
