// ScheduleView: what turning a fleet off saves and costs, as an answer for people and programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "purchase/schedule/measured_saving.h"

namespace plimsoll {

struct ScheduleView {
  Window window;
  std::string time_zone, currency;
  ScheduleRules rules;
  std::vector<ControlKind> controls;
  std::int64_t instances = 0;
  ScheduleOutcome as_it_ran;
  std::vector<ScheduleOutcome> alone;       // each control by itself
  std::vector<ScheduleOutcome> compounded;  // the first, the first two...
  std::optional<MeasuredSaving> measured;
  std::optional<Money> expected_after;  // saving of all controls in the time after the date
  std::string since;
  std::int64_t days = 0;  // of the window, whole ones, for a month's figures
  std::int64_t without_offset = 0, duplicates = 0, unknown_hours = 0;
  bool for_people = false;
};

Answer ScheduleAnswer(const ScheduleView& view);

}  // namespace plimsoll
