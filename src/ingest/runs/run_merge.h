// RunMerge: the rules by which what is told of a run becomes its rows.
//
// Rows of runs join by (source, run): a text beats "", of two the greater; labels are united.
// An event is the same as another if all but its counts are: a known count beats null, of two
// the greater. Steps that are derived (run_steps.h) and attempts of TensorBoard are worked out
// anew from all events. So the result depends on the set of facts alone, and merging what is
// merged changes nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/run.h"

namespace plimsoll {

// Merges both batches within themselves; rows come back in order (run_files.h). Returns how
// many events were told again.
std::int64_t MergeRuns(RunBatch& runs, RunEventBatch& events);

}  // namespace plimsoll
