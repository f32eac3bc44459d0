// CommitOptions of the command line: prices by flavor, scenarios, as people write them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/commitment.h"
#include "purchase/commit/scenario.h"

namespace plimsoll {

// "10" for any flavor, "H100=10" for one. Fails with kInvalidArgument, naming `option`.
Result<std::vector<FlavorPrice>> ParsePrices(const std::string& option,
                                             const std::vector<std::string>& texts);

struct ScenarioTexts {
  std::string growth, decline;          // a year: "10%"
  std::vector<std::string> migrations;  // "2027-06:H200:0.5"
  std::vector<std::string> price_cuts;  // "44%" or "44%:2027-06"
};

// The scenarios in the order of the fields; empty if none is asked for. With some, the first is
// that nothing changes. Months count from `start`. Fails with kInvalidArgument.
Result<std::vector<Scenario>> ParseScenarios(const ScenarioTexts& texts, Instant start);

}  // namespace plimsoll
