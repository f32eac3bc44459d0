// SpotMeasure: what spot saved in a window, from the database: nodes and bills, training runs and
// what evictions cost them, and what the configuration declares.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "ledger/ledger.h"
#include "ledger/spot_saving.h"

namespace plimsoll {

// In the currency of most of the spot cost. Null if nothing ran on spot.
// REQUIRES: whole hours
Result<std::optional<SpotSaving>> MeasureSpot(Context& context, Ledger& ledger, Window window);

// The nodes' lives as docs/formats/lifetimes.md has them: what was taken, and what still ran or was
// given back (censored). Nodes whose begin nothing tells are left out; `left_out` counts them.
std::string LifetimesCsv(const SpotSaving& saving, Instant as_of, std::int64_t& left_out);

}  // namespace plimsoll
