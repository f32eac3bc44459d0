// Caveats: what a reader of cost figures must know of them, in sentences.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ledger/ledger.h"
#include "ledger/query.h"

namespace plimsoll {

// Of the lines that `query` selects: cost that no bill states, and by what it is priced instead.
// Of the window's whole days, whatever the filter: GPU time without any price, nodes of which
// more is held than they have, and declarations that nothing answers to.
// REQUIRES: the ledger is refreshed for the window
Result<std::vector<std::string>> CaveatsOf(Ledger& ledger, const LedgerQuery& query);

// For each value that `filter` asks for by `:` and no line of the window has: "no line has
// team = nope; known: nlp, vision". A typing error and an empty answer look alike without it.
Result<std::vector<std::string>> UnknownFilterValues(Store& store, const LedgerQuery& query);

}  // namespace plimsoll
