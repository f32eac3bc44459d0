// UsageCsv: units in use by the hour, as commitments are planned from (docs/formats/usage-csv.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ingest/trace/hour_rows.h"
#include "model/commitment.h"

namespace plimsoll {

struct UsageReading {
  std::vector<HourlyUsage> flavors;   // by name; hours ascending
  Window window;                      // of all flavors' rows
  std::vector<std::int64_t> missing;  // hours of the window without a row, by flavor
  std::int64_t duplicates = 0;        // the same hour with the same use again, counted once
  std::int64_t rounded = 0;           // use that is no whole unit-milliseconds
  HourNotes notes;
};

// Columns hour, usage and, optionally, flavor. Fails with kBadData and every row that is wrong:
// no number, negative, more than a million, or one hour with two values - local times when the
// clocks go back, or two files in one.
Result<UsageReading> ReadUsageCsv(const std::string& file, std::string_view text);

// Units as unit-milliseconds of an hour, half to even; sets `rounded` where digits are lost.
// Fails with kBadData on anything but a decimal from 0 to a million.
Result<std::int64_t> ParseUnits(std::string_view text, bool* rounded);

}  // namespace plimsoll
