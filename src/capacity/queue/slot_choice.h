// Slot choice: where a gang goes if each node takes so many of its pods.
//
// For plans of starts to come, over any table of slots: of nodes in the given order, in the
// tightest domain that suffices, in whole slices. Costs a look at every node.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "capacity/queue/gang_need.h"

namespace plimsoll {

// `slots` of each node; `order` names the nodes that may be used, in the order in which they are
// filled. False and no places: it does not fit. Slices go to the slice domain with the fewest
// slices that suffice for all that are left, else to the one with the most.
bool ChooseBySlots(const Cluster& cluster, const GangNeed& need,
                   std::span<const std::int32_t> slots, std::span<const NodeId> order,
                   GangPlaces& places);

}  // namespace plimsoll
