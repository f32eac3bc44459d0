// TrainingFill: the way of `plimsoll plan training` that fills a cluster with pods of a list
// (capacity/placement/fill.h): how much a node policy gets to allocate.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/context.h"

namespace plimsoll {

struct TrainingFillArgs {
  std::string nodes, pods;
  std::string fill;  // asks for this way; "130%"
  std::vector<std::string> policies;
  std::int64_t seeds = 10;
  std::int64_t seed = 42;
};

bool AsksForFill(const TrainingFillArgs& args);

std::vector<CommandOption> TrainingFillOptions(TrainingFillArgs& args);

// Fails with kInvalidArgument for options that do not go together, kBadData or kNotFound for a
// file.
Result<ExitCode> RunTrainingFill(Context& context, const TrainingFillArgs& args);

}  // namespace plimsoll
