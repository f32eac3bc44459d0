#include "capacity/sizing/demand.h"

#include <algorithm>

namespace plimsoll {

std::vector<Demand> DemandOf(std::span<const TrainingJob> jobs) {
  std::vector<Demand> demands;
  demands.reserve(jobs.size());
  for (const TrainingJob& job : jobs) {
    if (GpuMilli(job) == 0) continue;
    Demand demand;
    demand.release = job.submitted;
    demand.run = job.run;
    demand.gpu_milli = GpuMilli(job);
    demand.start_milli = std::min(job.pods_min, job.pods) * GpuMilli(job.shape);
    demand.flavors = job.shape.flavors;
    if (job.topology.mode == TopologyMode::kRequired) demand.level = job.topology.level;
    demand.due = job.deadline;
    demands.push_back(demand);
  }
  return demands;
}

std::vector<Demand> DueWithin(std::vector<Demand> demands, Duration wait) {
  for (Demand& demand : demands) {
    const Instant due = demand.release + wait + demand.run;
    demand.due = demand.due ? std::min(*demand.due, due) : due;
  }
  return demands;
}

Window ReleaseWindow(std::span<const Demand> demands) {
  if (demands.empty()) return {};
  Window window{demands[0].release, demands[0].release};
  for (const Demand& demand : demands) {
    window.begin = std::min(window.begin, demand.release);
    window.until = std::max(window.until, demand.release);
  }
  return window;
}

int128 WorkOf(std::span<const Demand> demands) {
  int128 work = 0;
  for (const Demand& demand : demands) work += int128{demand.gpu_milli} * demand.run.base();
  return work;
}

}  // namespace plimsoll
