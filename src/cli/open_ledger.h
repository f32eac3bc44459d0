// OpenLedger: the ledger that a command asks, with the configuration's rules.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "ledger/ledger.h"

namespace plimsoll {

// Over the context's store, catalog and configuration; draws the context's progress.
Result<Ledger> OpenLedger(Context& context);

// The window that `text` names in the configuration's zone, widened to whole UTC hours (some
// zones are off by 30 or 45 minutes). Empty text is everything loaded.
// Fails with kFailedPrecondition if nothing is loaded and `text` is empty.
Result<Window> LedgerWindow(Context& context, Ledger& ledger, const std::string& text);

// "a,b" -> {"a", "b"}; blanks and empty items are dropped.
std::vector<std::string> SplitKeys(const std::string& text);

}  // namespace plimsoll
