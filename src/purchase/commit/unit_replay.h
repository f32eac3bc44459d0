// UnitReplay: the measured hours of a flavor again, with commitments in force. What a purchase
// would have cost and saved is read from here, as is what a target of utilization allows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "purchase/commit/usage_curve.h"

namespace plimsoll {

// Units in force over all hours.
struct ReplayUnits {
  std::int64_t units = 0;
  Money term_cost;  // of one, for `months`
  std::int64_t months = 12;
};

// Shares are billionths; null where there is nothing to take a share of.
struct UnitReplay {
  std::int64_t hours = 0;
  std::int64_t units = 0;
  int128 used = 0, covered = 0, committed = 0;  // unit-milliseconds
  Money cost;                                   // cost_committed + the rest on demand
  Money cost_committed;
  Money cost_on_demand;  // of all use, without any commitment
  Money saving;          // cost_on_demand - cost; may be negative
  Money stranded;        // of cost_committed, hours without use

  std::optional<std::int64_t> coverage() const;     // covered / used
  std::optional<std::int64_t> utilization() const;  // covered / committed
  // 1 - cost / cost_on_demand, also coverage x (1 - (1 - d) / utilization) for one discount d.
  std::optional<std::int64_t> effective_savings_rate() const;
};

// Each commitment's hours are paid, used or not; what is over them is on demand. `stranded` is
// at their average price.
UnitReplay Replay(const UsageCurve& curve, Money on_demand,
                  std::span<const ReplayUnits> commitments);

// The greatest multiple of `step` whose use of the units between `existing` and it
// is at least `billionths` of them; 0 if none. Utilization falls with the quantity, so this is a
// search and not a rule of thumb.
std::int64_t UnitsAtUtilization(const UsageCurve& curve, std::int64_t existing,
                                std::int64_t billionths, std::int64_t step);

// The smallest multiple of `step` that with `existing` covers `billionths` of all use.
std::int64_t UnitsAtCoverage(const UsageCurve& curve, std::int64_t existing,
                             std::int64_t billionths, std::int64_t step);

// part / whole in billionths, half to even; null of nothing.
std::optional<std::int64_t> ShareOf(int128 part, int128 whole);

}  // namespace plimsoll
