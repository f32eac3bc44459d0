// TrainingRun: `plan training` on a cluster and its jobs: what waits there are, the odds of a gang,
// what a change does, how many GPUs; in one go or in shards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/context.h"
#include "cli/training_settings.h"

namespace plimsoll {

struct TrainingArgs {
  std::string targets, warm_up, load, shard, output, html, arrivals;
  std::vector<std::string> probes, grid, what_if, settings, merge;
  std::int64_t replications = 100, seed = 42, epochs = 50, threads = 0;
};

// All but the files and --seed, which other ways of the command have too; the variables outlive the
// command.
std::vector<CommandOption> TrainingOptions(TrainingArgs& args);

// Whether any of them asks for a simulation.
bool AsksForRun(const TrainingArgs& args);

// CheckQueueInput and SimulateQueue, but for tests.
struct FleetSimulator {
  std::function<Status(const Cluster&, const TrainingWorkload&, const QueueOptions&)> check;
  std::function<QueueOutcome(const Cluster&, const TrainingWorkload&, const QueueOptions&,
                             QueueSeed)>
      run;
};

// Prints the answer: of --grid the least fleet, of --what-if the differences, of one --probe
// without
// --targets P(start), else the waits. --shard writes its runs to --output instead, --merge reads
// them in place of simulating. Fails with kInvalidArgument or kBadData, naming option or file.
Result<ExitCode> RunTraining(Context& context, const TrainingArgs& args, const TrainingModel& model,
                             const FleetSimulator& simulator);

}  // namespace plimsoll
