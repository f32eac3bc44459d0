// Slurm's side of the fleet, as sacct and scontrol print it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "demo/fleet.h"

namespace plimsoll {

// `sacct --allusers --parsable2 --duplicates` with times in UTC and JobName last, which sacct
// does not escape: jobs by id, each with its batch, extern and numbered steps.
std::string SacctText(const DemoFleet& fleet);

// `scontrol show node`, long form.
std::string ScontrolNodesText(const DemoFleet& fleet);

}  // namespace plimsoll
