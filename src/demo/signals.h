// Signals: how busy every unit was in each twelfth of an hour, or that nobody measured it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "demo/fleet.h"

namespace plimsoll {

// Sorts every unit's holds by time and fills its percents: samples exist while the node lives
// (five minutes after a spot node boots), its exporter speaks and the card is on the bus. On
// the free card of the first notebook node somebody computes for some hours without holding it.
void FillSignals(DemoFleet& fleet);

// The hold on a unit at `t`, as an index into fleet.holds.
std::optional<std::size_t> HolderAt(const DemoFleet& fleet, const DemoUnit& unit, Instant t);

}  // namespace plimsoll
