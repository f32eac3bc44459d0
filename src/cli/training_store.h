// TrainingStore: the cluster and the jobs of `plan training` from the database.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/context.h"
#include "cli/training_facts.h"
#include "cli/training_settings.h"

namespace plimsoll {

// Jobs that began and ended in the window ("": the last 30 days) on the nodes of its end. Says what
// of the facts cannot be read as jobs, and what the database does not tell. Fails as ParseWindow
// and GatherTrainingFacts do.
Result<TrainingModel> StoredTrainingModel(Context& context, const std::string& window);

// All that decides a simulation of the facts, as text, for the hash.
std::string FactsText(const TrainingFacts& facts);

}  // namespace plimsoll
