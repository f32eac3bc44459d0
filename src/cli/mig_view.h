// MigView: how a card is cut, who lives in it and what that saves, as answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "purchase/mig/mig_plan.h"

namespace plimsoll {

// A price of one card for an hour, and where it is from.
struct CardPrice {
  Money per_hour;
  std::string source;
};

struct MigView {
  const MigGeometry* geometry = nullptr;
  std::optional<CardPrice> price;
  std::string currency;
  std::int64_t cards = 1;  // that one has, for what they can hold
};

// What a card can hold: profiles, and of each alone how many on the cards one has.
Answer MigCardAnswer(const MigView& view);

// Whether one card holds these instances, where each goes, what is stranded.
Result<Answer> MigProfilesAnswer(const MigView& view, const MigCounts& counts);

// Models on cards, and that against a card for each.
Result<Answer> MigPlanAnswer(const MigView& view, const MigPlan& plan, bool for_people);

}  // namespace plimsoll
