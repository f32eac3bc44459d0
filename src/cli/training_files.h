// TrainingFiles: the cluster and the jobs of `plan training` from their files, of any known format.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/context.h"
#include "cli/training_settings.h"

namespace plimsoll {

struct TrainingFileArgs {
  std::string cluster, jobs;                // files
  std::string cluster_format, jobs_format;  // "": by content
  std::vector<std::string> quota = {};      // files; none: without quotas
  std::string window = {};                  // of the database, without files
};

std::vector<CommandOption> TrainingFileOptions(TrainingFileArgs& args);

// Without files: those of the database. Says what was refused or left out, and what a format does
// not tell. Fails with kInvalidArgument
// (a file is not given), kNotFound or kBadData, naming file, line, field and remedy.
Result<TrainingModel> ReadTrainingModel(Context& context, const TrainingFileArgs& args);

}  // namespace plimsoll
