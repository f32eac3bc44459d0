// ServingView: what the engines' own metrics say of services, as an answer for people and programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "economics/serving_bounds.h"
#include "units/money.h"

namespace plimsoll {

struct ServingService {
  std::string name;
  std::optional<Money> cost;
  ServingSummary summary;
};

// Tables `services`, `limits` and `latencies` (docs/formats/output.md). Bounds are two columns;
// what metrics cannot tell is null.
Answer ServingAnswer(const std::vector<ServingService>& services, const std::string& currency);

}  // namespace plimsoll
