// ActivityCsv: what each instance did by the hour, as schedules are planned from
// (docs/formats/activity-csv.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/trace/hour_rows.h"
#include "model/activity.h"

namespace plimsoll {

struct ActivityReading {
  std::vector<InstanceActivity> instances;  // by name; hours ascending
  Window window;                            // of all rows
  std::int64_t duplicates = 0;              // the same hour with the same activity again
  HourNotes notes;
};

// Columns instance, hour, activity: an hour in which the instance ran, and the part of it in
// which it was used, 0 to 1 (or 0 % to 100 %). An hour without a row is one in which it did not
// run. Fails with kBadData and every row that is wrong.
Result<ActivityReading> ReadActivityCsv(const std::string& file, std::string_view text);

}  // namespace plimsoll
