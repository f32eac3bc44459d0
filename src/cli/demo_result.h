// DemoResult: what the database answers to the questions whose truth the demo knows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "cli/context.h"
#include "demo/truth.h"
#include "ledger/ledger.h"

namespace plimsoll {

// GPU time and cost by who, class and node in `window` and the totals of all bills; every run by
// cause, and every service's requests in `window`. REQUIRES: the ledger is current over it.
Result<DemoResult> DemoResultOf(Context& context, Ledger& ledger, Window window);

}  // namespace plimsoll
