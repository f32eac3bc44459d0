// TrainingRuns: runs from files or the database, accounted, priced and compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/training_view.h"
#include "model/quality_target.h"
#include "model/run.h"
#include "units/money.h"

namespace plimsoll {

struct TrainingQuestion {
  std::vector<std::string> paths;       // logs; none: the runs of the database
  bool with_ledger = false;             // costs come from cost lines where a run joins some
  std::string experiment;               // only its runs; "": all
  std::optional<Money> gpu_price;       // an hour of one GPU, where no cost line is joined
  std::optional<std::int64_t> gpus;     // of attempts that tell none
  std::optional<QualityTarget> target;  // of all runs, in place of the configuration's
  std::int64_t hang_factor = 10;        // docs/decisions/0003-training-accounting.md, T9
  std::vector<Window> windows;          // also what the cost lines of each of these say
};

// By experiment, rank and run. Says on stderr what was passed by.
Result<std::vector<PricedRun>> AnswerTraining(Context& context, const TrainingQuestion& question);

}  // namespace plimsoll
