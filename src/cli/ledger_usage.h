// Usage from the ledger: GPUs that were paid for by the hour, from its cost lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/context.h"
#include "ingest/trace/activity_csv.h"
#include "ingest/trace/usage_csv.h"

namespace plimsoll {

// What no commitment applies to yet: spot, owned GPUs and those that one covers are left out.
inline constexpr const char* kUncovered = "capacity_type!:\"spot\"+sunk:\"\"";
// The same with those that one covers.
inline constexpr const char* kCoverable = "capacity_type!:\"spot\"+sunk!:\"owned\"";

// Provisioned GPU time by hour and the ledger field `by` (flavor is gpu_model), as units. An hour
// in which there are lines but none of a flavor is 0; an hour without any line is missing.
// Fails with kNotFound if no line has GPU time.
Result<UsageReading> UsageOfLedger(Context& context, const std::string& window,
                                   const std::string& by, const std::string& filter);

// The same by node: hours in which a node was paid for, and the part of its GPU time that was
// used. Nodes without a usage signal in an hour count as used, and are told in `unknown_hours`.
Result<ActivityReading> ActivityOfLedger(Context& context, const std::string& window,
                                         const std::string& filter, std::int64_t* unknown_hours);

}  // namespace plimsoll
