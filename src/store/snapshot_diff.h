// Snapshot differences: what a restatement changed, in words for the user.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/snapshot.h"
#include "store/store.h"

namespace plimsoll {

// Changed days that are listed; the rest is counted.
inline constexpr std::size_t kChangedDaysShownMax = 10;

// "Amazon Web Services / 1234 / USD / 2024-09": the scope with its period, if it has one.
// A whole month is "2024-09", a whole day "2024-09-17", anything else an interval.
std::string ScopeText(const SnapshotKey& key);

// "2024-09-01T00:00:00Z/2024-10-01T00:00:00Z", or "no time".
std::string SpanText(const std::optional<Window>& span);

// True if `after` does not reach every UTC day that `before` reaches.
bool LosesDays(const std::optional<Window>& before, const std::optional<Window>& after);

// Each money column of table charge whose sum differs between two snapshots
// ("effective_cost 1.000000000 -> 2.000000000"), then each UTC day of charge_begin with its
// changed columns, at most kChangedDaysShownMax of them. Empty if no sum of any day differs.
Result<std::vector<std::string>> ChargeDifferences(Store& store, std::int64_t before,
                                                   std::int64_t after);

}  // namespace plimsoll
