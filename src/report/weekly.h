// The weekly report: one week of a fleet in the seven dimensions of the brief (capacity,
// utilization, queue, training, inference, tenant, optimization), with a summary before and
// the details behind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "ledger/ledger.h"
#include "ledger/spot_saving.h"
#include "report/capacity_week.h"
#include "report/document.h"
#include "report/unit_week.h"

namespace plimsoll {

struct WeeklyOptions {
  Window window;                               // whole UTC hours
  std::string time_zone = "UTC";               // named in the header; times are printed in UTC
  std::map<std::string, std::string> budgets;  // team -> monthly amount, decimal text
  UnitWeek unit = {};                          // of the same window
  std::optional<SpotSaving> spot = {};         // of the same window; null: nothing ran on spot
  CapacityWeek capacity = {};                  // of the same window; empty: nothing is known of it
};

// Refreshes the ledger over the window and the billing periods that it touches, then reads.
// The same facts give the same document. Fails with kFailedPrecondition if the window holds no
// cost line.
Result<ReportDocument> BuildWeekly(Ledger& ledger, const WeeklyOptions& options);

}  // namespace plimsoll
