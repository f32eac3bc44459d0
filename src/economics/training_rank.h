// TrainingRank: runs of one experiment in order of what an equal quality cost them.
//
// Rule T14 of docs/decisions/0003-training-accounting.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "units/decimal.h"
#include "units/money.h"

namespace plimsoll {

struct RunToRank {
  std::string group;        // runs that are compared: an experiment and a currency
  bool at_most = false;     // of the target: a smaller quality is the better one
  bool has_target = false;  // without one there is nothing to rank by
  std::optional<Money> cost, cost_to_target;
  std::optional<ExactDecimal> quality;
};

struct RunRank {
  std::optional<std::int64_t> rank;  // from 1; null without a target or a cost
  std::optional<bool> pareto;        // false: another run is as cheap and as good, and one better
};

// One a run, in the same order. REQUIRES: at_most is the same in a group
std::vector<RunRank> RankRuns(const std::vector<RunToRank>& runs);

}  // namespace plimsoll
