// What each instance of a cut card costs, and what is left over: it always adds up to the card.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "purchase/mig/mig_geometry.h"
#include "units/money.h"

namespace plimsoll {

struct SliceCosts {
  std::vector<Money> instances;  // of the partition's placement, in its order
  Money stranded;                // of slices that no further instance could use
  Money free;                    // of slices that one could
};

// An instance weighs the larger of its parts of compute and of memory slices: that much of the
// card it keeps from others. If the weights make less than a card, the rest is stranded or
// free; if more (3g and 4g: 1/2 + 4/7), the card's price is divided in their proportion. Sums
// to `card` exactly (units/split.h). Fails with kOutOfRange past 38 digits.
Result<SliceCosts> CostSlices(const MigGeometry& geometry, const MigPartition& partition,
                              Money card);

}  // namespace plimsoll
