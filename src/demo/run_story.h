// RunStory: what happened within the fleet's training runs: steps, saves, stalls, failures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "demo/fleet.h"

namespace plimsoll {

// Fills the events and the truth of fleet.runs from their attempts. Times are whole milliseconds.
// The intervals between the steps of a leg take one length and, every second one, a bit more and a
// bit less by turns, so that this length is their median: a usual step (rule T8) is known exactly.
void TellRuns(DemoFleet& fleet);

}  // namespace plimsoll
