// Declarations: what plimsoll.yaml declares and nothing in the facts of a window answers to. A
// declaration that does nothing is almost always a name that is spelled otherwise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "allocation/allocation.h"
#include "base/result.h"
#include "store/store.h"
#include "units/time.h"

namespace plimsoll {

struct DeclarationNote {
  std::string subject;  // "reserves 'spare'", "volume_prices 'gp9'"
  std::string detail;   // a sentence with the remedy
};

// Of those whose time touches `window`, in the order of the configuration: reserves and
// maintenance whose scope no allocated node is in, volume prices of no volume, and attribution
// mappings of no label's value or of values that an earlier mapping makes something else of.
// REQUIRES: the ledger is refreshed for the window
Result<std::vector<DeclarationNote>> UnansweredDeclarations(Store& store,
                                                            const AllocationOptions& options,
                                                            Window window);

}  // namespace plimsoll
