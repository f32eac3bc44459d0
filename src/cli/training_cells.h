// Cells of `plan training`: targets by name, shares and waits with their intervals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capacity/sizing/paired_difference.h"
#include "capacity/sizing/target_result.h"
#include "cli/table.h"
#include "units/time.h"

namespace plimsoll {

// What was asked and how, for all answers of a question.
struct TrainingScope {
  const SizingTargets* targets = nullptr;
  std::int64_t replications = 0;
  std::int64_t seed = 1;
  std::string question;  // hash
  std::string currency;
  bool for_people = false;  // tables that fit 80 columns, times as 1h30m
};

std::string TargetName(const SizingTargets& targets, TargetId id);
const char* TargetKindName(TargetKind kind);

// A ratio with nine decimals; null if there is none.
Cell RatioCell(std::optional<std::int64_t> billionths);
// Hours with nine decimals, for programs; the shortest text such as 1h30m for people, "never" for
// none.
Cell WaitCell(std::optional<Duration> wait, bool for_people);
// For people: a wait to three figures or so: 1h30m, 12m, 4.2s.
std::string WaitText(Duration wait);
// "91.2 %", and "88.1-93.9 %" of an interval.
std::string PercentOf(std::optional<std::int64_t> billionths);
std::string RangeText(const Interval& interval);

// Facts or columns share.estimate, share.low, share.high in this order.
std::vector<Cell> ShareCells(const ShareEstimate& share);
std::vector<Cell> WaitCells(const WaitQuantile& wait, bool for_people);

// Facts that every answer has: replications, seed, confidence, question.
void AddScopeFacts(const TrainingScope& scope, Answer& answer);
// "30 replications; intervals at 95 %".
std::string ScopeText(const TrainingScope& scope);

}  // namespace plimsoll
