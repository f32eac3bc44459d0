// TrainerState: Hugging Face's trainer_state.json, which tells steps and metrics but no times.
//
// log_history has an entry a logging step; of the last one, train_runtime tells how long the
// run took. So steps and metrics stand at the run's begin, and only its length is known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ingest/runs/run_facts.h"

namespace plimsoll {

// How a source without times or a name is placed.
struct RunPlace {
  std::string file;              // for messages
  std::string run;               // its id
  std::string name;              // for people
  std::optional<Instant> began;  // null: not known, and times count from the epoch
};

// True if the text may be a trainer state: JSON with a log_history.
bool IsTrainerState(std::string_view head);

// Fails with kBadData if the text is no JSON object with a log_history; broken entries of that
// are rejections.
Status ReadTrainerState(std::string_view text, const RunPlace& place, RunFacts& facts);

}  // namespace plimsoll
