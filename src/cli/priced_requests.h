// PricedRequests: what the database's requests and the services' declarations give together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "economics/inference_cost.h"
#include "economics/inference_fold.h"

namespace plimsoll {

// Fails if a service's peak hours name no zone. Checked once, as a calendar cannot fail.
Status CheckZones(const std::vector<ServiceDeclaration>& services);

// The peak hours of a service; null if it declares none.
PeakOf CalendarOf(const ServiceDeclaration& declared);

// Adds the requests that the database holds in the fold's window. Fails with kNotFound if there
// are none.
Status FoldStored(Context& context, const InferenceFoldOptions& options, InferenceFold& fold);

// What was paid for a service: by its ledger lines in `window`, else by its GPUs and their price
// over `window_ns`; null if it declares neither. REQUIRES: a window, if the cost is of lines.
Result<std::optional<PaidCost>> PaidFor(Context& context, const ServiceDeclaration& declared,
                                        const std::optional<Window>& window,
                                        std::int64_t window_ns);

// The same for each service of `folded`.
Result<std::vector<std::optional<PaidCost>>> PaidOf(Context& context,
                                                    const InferenceFoldOptions& options,
                                                    const FoldedRequests& folded);

}  // namespace plimsoll
