// MixView: what `plan mix` says of a plan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/table.h"
#include "purchase/mix/mix_plan.h"

namespace plimsoll {

struct MixView {
  const MixQuestion* question = nullptr;
  const MixPlan* plan = nullptr;
  std::string currency;
  bool for_people = false;  // a table that fits 80 columns, reasons below it
};

Answer MixAnswer(const MixView& view);

}  // namespace plimsoll
