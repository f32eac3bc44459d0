// TrainingRunsView: what `plan training` says of one fleet: waits by class, what they wait for, the
// odds of a gang, and what closed forms say beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capacity/sizing/gang_formula.h"
#include "cli/training_cells.h"
#include "cli/training_fit_view.h"
#include "cli/training_record.h"

namespace plimsoll {

// Of one class or gang target.
struct FormulaRow {
  TargetId target;
  std::int64_t servers_by_count = 0;  // gangs that fit by count, not in domains
  ClassLoad load;
  FormulaAnswer answer;
};

struct TrainingRuns {
  TrainingScope scope;
  std::int64_t gpus = 0;
  std::optional<Money> cost_per_month;
  std::span<const ReplicationOutcome> outcomes;
  std::vector<FormulaRow> formulas;
  std::vector<bool> never;             // of each gang: the empty cluster has no room for it
  std::vector<bool> no_quota = {};     // likewise: its queue is never allowed so much
  const WorkloadFit* fit = nullptr;    // that the jobs are drawn from
  std::vector<RecordRow> record = {};  // where waits of the same jobs are known
};

// Tables record and fit (if there is one), classes, gangs, causes, formulas.
Answer RunsAnswer(const TrainingRuns& runs);

// The first gang's P(start within T), and its curve over T. REQUIRES: targets have a gang
Answer ProbeAnswerOf(const TrainingRuns& runs);

Table FormulaTable(const TrainingScope& scope, std::span<const FormulaRow> formulas);

}  // namespace plimsoll
