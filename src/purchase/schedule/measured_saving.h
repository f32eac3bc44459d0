// MeasuredSaving: what a fleet has run since a date, against what it would have run as before.
//
// Weekdays are compared with their like: the average running time of each weekday before the date
// is what each such day after it is expected to have. A fleet that grew or shrank for other
// reasons is not told apart; the answer says how many instances there were on both sides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "purchase/schedule/fleet_schedule.h"
#include "units/time.h"

namespace plimsoll {

struct MeasuredSaving {
  std::int64_t days_before = 0, days_after = 0;            // whole local days
  std::int64_t instances_before = 0, instances_after = 0;  // that ran at all
  std::int64_t hours_before = 0, hours_after = 0;          // instance-hours
  std::optional<std::int64_t> minutes_expected;  // after, as before; null if a weekday has no like
  std::optional<Money> saving;                   // (expected - real) x price; may be negative
};

// `since` is the first local day after, `first` and `last` are the window's whole days, all
// counted from 1970-01-01.
MeasuredSaving MeasureSince(const FleetHours& fleet, std::int64_t first, std::int64_t since,
                            std::int64_t last, Money price);

}  // namespace plimsoll
