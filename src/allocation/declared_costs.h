// DeclaredCosts: declared monthly amounts as cost of their hours (rule S17).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "allocation/charge_costs.h"

namespace plimsoll {

// Appends the hours of the window. Fails with kOutOfRange past 38 digits.
Status AddDeclaredCosts(const AllocationOptions& options, const ChargeTables& tables,
                        std::vector<DirectCost>& direct);

}  // namespace plimsoll
