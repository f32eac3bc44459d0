// The commands of `plimsoll unit`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"

namespace plimsoll {

Command UnitTrainingCommand();
Command UnitInferenceCommand();
Command UnitServingCommand();
Command UnitSpotCommand();

}  // namespace plimsoll
