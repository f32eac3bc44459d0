// Cells of answers on purchasing: shares, units and dates as exact text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

// Billionths as a ratio with nine decimals; null stays null.
Cell ShareCell(std::optional<std::int64_t> billionths);

// Billionths as percent for a sentence: "25.71 %".
std::string PercentText(std::int64_t billionths);

// Unit-milliseconds of an hour as units, shortest, at most nine decimals: "4", "7.5".
std::string UnitsCell(std::int64_t unit_millis);

// Money for a sentence, with thousands: "1,234.50".
std::string Rounded(Money money, int places);

// The day on which month `month` after `start` begins, in months of 730 hours.
std::string MonthDate(Instant start, std::int64_t month);

// Leaves out every column that is not named.
void KeepColumns(Table& table, const std::vector<std::string>& names);

}  // namespace plimsoll
