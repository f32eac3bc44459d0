// Changes to an assignment that pods already run in: a node replaced, a workload grown or shrunk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "capacity/topology/tas_group.h"

namespace plimsoll {

// `admitted` with the pods of one host elsewhere: within the domain that the podset requires, or
// within the slice that lost them. Fails with kBadData if there is no place or another host of
// the assignment is gone too. What the new pods take is assumed in `search`.
Result<TasAssignment> ReplaceNode(TasGroupSearch& search, const TasPodSet& podset,
                                  TasAssignment admitted, const std::string& unhealthy_node);

// Whether the podset replaces a workload slice whose pods can stay where they are.
bool CanResize(const TasSnapshot& snapshot, const TasPodSet& workers, const TasPodSet* leader);

// The previous assignment with only the missing pods placed, or with the last ones dropped. What
// all its pods take is assumed in `search`. REQUIRES: CanResize
Result<TasGroupAssignment> Resize(TasGroupSearch& search, const TasPodSet& workers,
                                  const TasPodSet* leader);

}  // namespace plimsoll
