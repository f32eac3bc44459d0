// TrainingPlan: the options of `plan training` as a question: which fleets, which jobs, what is
// asked of them, and the hash of all that decides the answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capacity/sizing/fleet_grid.h"
#include "capacity/sizing/shard.h"
#include "capacity/workload/workload_fit.h"
#include "cli/training_run.h"
#include "cli/training_settings.h"

namespace plimsoll {

enum class TrainingAsk : unsigned char { kWaits, kProbe, kChange, kGrid };
enum class Arrivals : unsigned char { kReplay, kResample, kFit };
inline constexpr const char* kArrivalsNames[] = {"replay", "resample", "fit"};

struct TrainingPlan {
  TrainingAsk ask = TrainingAsk::kWaits;
  SizingTargets targets;
  Arrivals arrivals = Arrivals::kReplay;
  TrainingWorkload workload;             // at the load that was asked for
  std::vector<TrainingSettings> points;  // kChange: before and after
  FleetGrid grid;                        // kGrid: its points are `points`; else one
  std::uint64_t seed = 1;
  std::int32_t epochs = 50;
  RunPlan runs;
  std::shared_ptr<const WorkloadFit> fit = {};  // of kFit, of the jobs on record
  std::int64_t load = 0;                        // billionths, for draws from the fit
};

// Reads --targets and what else names a file. Fails as RunTraining.
Result<TrainingPlan> PlanOf(const TrainingArgs& args, const TrainingModel& model);

// The jobs of a replication, with the changes of the settings.
TrainingWorkload WorkloadOf(const TrainingPlan& plan, const TrainingSettings& settings,
                            std::uint64_t replication);

}  // namespace plimsoll
