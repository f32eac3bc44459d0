// StepUse: how busy a job's GPUs were, from the gres/gpuutil that Slurm keeps of its steps.
//
// A run's busy fraction is what its steps used over what the run held:
//
//   sum over its steps (percent / 100 x GPUs x elapsed) / (GPUs of the run x its elapsed)
//
// A step counts its own processes only, so that .extern and a .batch that waits for srun add
// nothing, steps beside one another add up, and time without a step is time unused.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "model/holding.h"
#include "units/time.h"

namespace plimsoll {

inline constexpr const char* kSignalGpuUtilTres = "gres/gpuutil";

struct StepUse {
  Instant start;
  Duration elapsed;
  std::int64_t gpus = 0;
  // Mean percent of the step's tasks; null if Slurm did not measure it.
  std::optional<std::int64_t> percent;

  friend auto operator<=>(const StepUse&, const StepUse&) = default;
};

class StepUses {
 public:
  // The same step again, as after a repeated or later export, counts once: as the greater.
  void Add(const std::string& cluster, const std::string& job, const std::string& step,
           const StepUse& use);

  // Gives used_ppm to the runs of `holdings` that have none and whose steps tell it. A run is
  // not known if one of its steps with GPUs has no percent, one above 100, or use of GPUs
  // that it does not list.
  void ApplyTo(const std::string& cluster, HoldingBatch& holdings) const;

 private:
  using Job = std::pair<std::string, std::string>;                   // cluster, job id
  using Steps = std::map<std::pair<std::string, Instant>, StepUse>;  // by step id and start
  std::map<Job, Steps> by_job_;
};

}  // namespace plimsoll
