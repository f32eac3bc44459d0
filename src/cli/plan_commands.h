// The commands of `plimsoll plan`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"

namespace plimsoll {

Command PlanCommitCommand();
Command PlanMigCommand();
Command PlanMixCommand();
Command PlanScheduleCommand();
Command PlanSkuCommand();
Command PlanSpotCommand();
Command PlanTrainingCommand();
Command PlanWorkloadCommand();
Command PlanZonesCommand();

}  // namespace plimsoll
