// TrainingTarget: when a run first reached a quality and held it, and the best that it held.
//
// Rule T13 of docs/decisions/0003-training-accounting.md. Values are compared as written, exactly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "economics/training_log.h"
#include "model/quality_target.h"
#include "model/run.h"

namespace plimsoll {

// Reads "loss<=2.5", "accuracy>=0.9,window=3" (evaluations) and "loss<=2.5,window=500steps".
// Fails with kInvalidArgument and a form that would be read.
Result<QualityTarget> ParseTarget(std::string_view text);
std::string ToString(const QualityTarget& target);  // as ParseTarget reads it

// One evaluation that nothing undid.
struct Evaluation {
  std::int64_t step = 0;
  Instant at;
  std::optional<ExactDecimal> value;  // null: "nan", "inf", or more than 40 decimal places
};

// The run's evaluations of metric `name`, by step.
std::vector<Evaluation> EvaluationsOf(const RunEventBatch& events, const TrainingLog& log,
                                      std::string_view name);

struct QualityReached {
  std::optional<Instant> at;  // of the first evaluation whose window holds the target
  std::optional<std::int64_t> step;
  std::optional<ExactDecimal> quality;  // the best value that a whole window holds
};
QualityReached Reach(const std::vector<Evaluation>& evaluations, const QualityTarget& target);

}  // namespace plimsoll
