// SpotCostRule: cost that exists only because work runs on spot, as its owners declare it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "units/money.h"

namespace plimsoll {

inline constexpr const char* kSpotCostKinds[] = {"storage", "traffic", "operations"};

// Either a share of the cost lines that `filter` selects, or an amount a calendar month.
struct SpotCostRule {
  std::string name;  // unique
  std::string kind;  // kSpotCostKinds
  std::string filter;
  Money share = Money::Units(100);  // percent
  std::optional<Money> monthly;     // an hour costs its part of the month

  friend bool operator==(const SpotCostRule&, const SpotCostRule&) = default;
};

}  // namespace plimsoll
