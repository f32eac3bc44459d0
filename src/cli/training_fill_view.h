// TrainingFillView: what node policies allocate of a cluster that fills up, as an answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "capacity/placement/fill.h"
#include "cli/table.h"

namespace plimsoll {

struct TrainingFillView {
  struct Of {
    PlacementPolicy policy = PlacementPolicy::kFgd;
    FillOutcome outcome;
  };
  std::int64_t nodes = 0;
  std::int64_t pods = 0;  // of the list
  FillOptions options;    // its policy counts for nothing
  std::vector<Of> outcomes;
  bool for_people = false;  // without a row for each run
};

// Facts are of the policy that allocates most. Names are those of docs/formats/output.md.
// REQUIRES: an outcome
Answer TrainingFillAnswer(const TrainingFillView& view);

}  // namespace plimsoll
