// Small queues that stand for the simulator in tests: M/M/c, and gangs by priority.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "capacity/sizing/replication_outcome.h"
#include "sim/distributions.h"

namespace plimsoll {

// Poisson arrivals of one-GPU jobs of exponential run time, in milliseconds.
struct MmcQueue {
  double load = 6.4;           // erlangs
  double service_ms = 60'000;  // mean
  Duration within = Minutes(1);
  int jobs = 2'000, warm_up = 200;

  ReplicationOutcome Run(std::int64_t servers, std::int64_t replication) const {
    const auto r = static_cast<std::uint64_t>(replication);
    RandomStream arrivals(9, "arrivals", r), services(9, "services", r);
    ReplicationOutcome outcome;
    outcome.classes.resize(1);
    std::vector<double> free_at(static_cast<std::size_t>(servers), 0.0);
    double now = 0;
    for (int i = 0; i < jobs; ++i) {
      now += DrawExponential(arrivals, service_ms / load);
      const double run = DrawExponential(services, service_ms);
      const auto first = std::min_element(free_at.begin(), free_at.end());
      const double start = std::max(now, *first);
      *first = start + run;
      outcome.used += static_cast<std::int64_t>(run);
      if (i < warm_up) continue;
      const Duration wait = Millis(static_cast<std::int64_t>(start - now));
      outcome.classes[0].waits.Add(wait);
      outcome.classes[0].within += wait <= within;
    }
    const double end = *std::max_element(free_at.begin(), free_at.end());
    outcome.capacity = servers * static_cast<std::int64_t>(end + service_ms);
    return outcome;
  }
};

struct GangJob {
  std::int64_t submitted = 0, run = 0, gpus = 0;  // in the order of priority
};

// Starts whatever fits, the earlier in the list first; nothing is interrupted. When each starts.
inline std::vector<std::int64_t> StartsByPriority(const std::vector<GangJob>& jobs,
                                                  std::int64_t gpus) {
  std::vector<std::int64_t> starts(jobs.size(), -1);
  std::vector<std::int64_t> times;
  for (const GangJob& job : jobs) times.push_back(job.submitted);
  while (!times.empty()) {
    const auto at = std::min_element(times.begin(), times.end());
    const std::int64_t now = *at;
    times.erase(at);
    std::int64_t free = gpus;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (starts[i] >= 0 && now < starts[i] + jobs[i].run) free -= jobs[i].gpus;
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (starts[i] >= 0 || jobs[i].submitted > now || jobs[i].gpus > free) continue;
      starts[i] = now;
      free -= jobs[i].gpus;
      times.push_back(now + jobs[i].run);
    }
  }
  return starts;
}

}  // namespace plimsoll
