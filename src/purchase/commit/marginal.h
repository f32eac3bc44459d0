// Marginal cost: where the next node should run when commitments are in force.
//
// What is left of a commitment costs nothing more this hour, used or not; past it a node costs its
// on-demand price or the spot price, whichever is lower. A list price less a discount, as static
// overlays have it, is right in neither case.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "units/money.h"

namespace plimsoll {

enum class Placement : unsigned char { kCommitted, kOnDemand, kSpot };

struct MarginalPrices {
  Money left;       // of the commitment this hour, in plan money
  Money committed;  // what one node takes of it
  Money on_demand;
  std::optional<Money> spot;  // with what interruptions cost; null if there is none
};

struct MarginalPlacement {
  Placement where = Placement::kOnDemand;
  Money cost;  // more, for this hour
};

// Node after node. A node fits a commitment only whole; between equal prices on demand wins, as
// nothing interrupts it. Spot gets no discount of a commitment.
std::vector<MarginalPlacement> PlaceNodes(std::int64_t nodes, MarginalPrices prices);

}  // namespace plimsoll
