// TrainingView: what runs cost and where their time went, for people and for programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "economics/training_account.h"
#include "economics/training_cost.h"
#include "economics/training_rank.h"
#include "economics/training_target.h"

namespace plimsoll {

// One run with its figures. What is not known is null: no figure is made up.
struct PricedRun {
  std::string run, source, experiment, name, model;
  TrainingRun account;
  bool has_gpu_time = true;  // false: the log tells no times, or no number of GPUs
  std::string currency;
  std::string cost_source;         // "ledger", "gpu-price"; "" without a cost
  std::optional<GpuHours> joined;  // GPU time of the cost lines
  std::optional<TrainingUnitCosts> costs;
  std::vector<std::optional<Money>> window_costs;  // by the windows asked for; null: no lines
  std::optional<QualityTarget> target;
  QualityReached reached;
  std::optional<Money> cost_to_target;
  RunRank rank;
  std::vector<std::string> marks;  // what of the log had to be put right or is missing
};

// For programs: tables `runs` and `failures` (docs/formats/output.md). For people: where the time
// went, what it cost, the failures, and notes.
Answer TrainingAnswer(const std::vector<PricedRun>& runs, bool for_people);

}  // namespace plimsoll
