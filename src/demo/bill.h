// Bill: what the clouds charge for the demo's fleet, exact to the nano.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "demo/fleet.h"

namespace plimsoll {

// Sets fleet.bills: AWS, and Google Cloud if there is a Slurm partition. Every node has a row
// for each hour it lived in; partial hours have partial charge periods. The savings plan covers
// the nodes bought so and 12 dollars an hour more than they use (rows marked Unused); its
// purchase is billed once a calendar month. Tax, credit, support and fees without a resource
// spread evenly over their hours.
void MakeBills(DemoFleet& fleet);

// The nanos that `node` costs for one split weight in the hour that holds `t`.
std::int64_t PriceAt(const DemoFleet& fleet, const DemoNode& node, Instant t);

// The shortest exact decimal: "0.25", "12", "-3.1".
std::string DecimalText(Money money);

}  // namespace plimsoll
