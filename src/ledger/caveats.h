// Caveats: what a reader of cost figures must know of them, in sentences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ledger/query.h"

namespace plimsoll {

// Of the lines that `query` selects: cost that no bill states but a price list does, and GPU
// time (of the window's whole days, whatever the filter) that has no price at all.
Result<std::vector<std::string>> CaveatsOf(Store& store, const LedgerQuery& query);

}  // namespace plimsoll
