// A small cluster, jobs and a queue of its own for tests of `plan training`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "cli/training_run.h"
#include "sim/distributions.h"

namespace plimsoll {

// Racks of two nodes of 8 GPUs; groups `owned` at 2 and `spot` at 1 a GPU-hour.
inline TrainingModel TestModel(int jobs = 200) {
  TrainingModel model;
  model.levels = {"rack"};
  model.flavors = {"h100"};
  model.groups_of_flavor = {0b11};
  for (const char* const name : {"owned", "spot"}) {
    FleetAxis group;
    group.name = name;
    group.flavor = "h100";
    group.purchase = group.name == "spot" ? Purchase::kSpot : Purchase::kOwned;
    group.units = {group.name == "spot" ? 0 : 4};
    group.price = Money::Units(group.name == "spot" ? 1 : 2);
    model.groups.push_back(group);
  }
  model.fleet = [](const std::vector<std::int64_t>& units) {
    DomainTree tree({"rack"});
    std::vector<NodeSpec> nodes;
    for (std::int64_t i = 0; i < units[0] + units[1]; ++i) {
      const std::vector<std::string> rack = {"r" + std::to_string(i / 2)};
      nodes.push_back({"n" + std::to_string(i), 0, 0, 0, 8, tree.Add(rack)});
    }
    return SimulatedFleet{Cluster({"h100"}, std::move(tree), std::move(nodes)), {}};
  };
  model.history.queues = {"research"};
  RandomStream random(1, "jobs", 0);
  Instant at = AtMillis(0);
  for (int i = 0; i < jobs; ++i) {
    at = at + Millis(static_cast<std::int64_t>(DrawExponential(random, 3'600'000)));
    TrainingJob job;
    job.name = "j" + std::to_string(i);
    job.submitted = at;
    job.run = Millis(static_cast<std::int64_t>(DrawExponential(random, 4 * 3'600'000)) + 1);
    job.shape.gpus = i % 4 == 0 ? 8 : 1;
    job.pods = job.pods_min = i % 16 == 0 ? 2 : 1;
    model.history.jobs.push_back(job);
  }
  model.files = {{"cluster.yaml", "groups"}, {"jobs.csv", "rows"}};
  return model;
}

// First come, first served by the number of GPUs; each probe sees what is free.
inline QueueOutcome CountGpus(const Cluster& cluster, const TrainingWorkload& workload,
                              const QueueOptions& options, QueueSeed seed) {
  QueueOutcome run;
  const std::int64_t capacity = cluster.gpu_milli_total();
  std::vector<std::pair<Instant, std::int64_t>> ends;  // and what they give back
  std::int64_t free = capacity;
  Instant clock = AtMillis(0);
  for (const TrainingJob& job : workload.jobs) {
    JobOutcome outcome;
    const std::int64_t need = GpuMilli(job);
    clock = std::max(clock, job.submitted);
    std::sort(ends.begin(), ends.end());
    while (!ends.empty() && (ends[0].first <= clock || free < need)) {
      clock = std::max(clock, ends[0].first);
      free += ends[0].second;
      ends.erase(ends.begin());
    }
    outcome.state = need > capacity ? JobState::kNever : JobState::kDone;
    if (need <= capacity) {
      free -= need;
      ends.emplace_back(clock + job.run, need);
      outcome.started = clock;
      outcome.ended = clock + job.run;
      outcome.first_wait[WaitCause::kBusy] = Between(job.submitted, clock);
      run.totals.used += GpuMicros::FromBase(need * job.run.base());
    }
    run.jobs.push_back(outcome);
  }
  Instant last = clock;
  for (const auto& [end, gpus] : ends) last = std::max(last, end);
  run.totals.window = {workload.jobs.front().submitted + options.warm_up, last};
  run.totals.capacity = GpuMicros::FromBase(capacity * std::max<std::int64_t>(last.base(), 1));
  RandomStream random(seed.seed, "probes", seed.replication);
  for (const ProbeSpec& probe : options.probes) {
    run.probes.emplace_back();
    for (std::int32_t i = 0; i < probe.epochs; ++i) {
      ProbeAnswer answer;
      const bool fits = GpuMilli(probe.job) <= capacity;
      if (fits && random.Below(10) > 1) answer.wait = Minutes(static_cast<std::int64_t>(i));
      run.probes.back().push_back(answer);
    }
  }
  if (options.timeline_step) {
    run.timeline.push_back({run.totals.window.begin, {run.totals.used}, {}, {}, {}, {}});
    run.used_by_node.resize(cluster.size());
  }
  return run;
}

inline FleetSimulator TestSimulator() {
  return {[](const Cluster&, const TrainingWorkload&, const QueueOptions&) { return Ok(); },
          CountGpus};
}

}  // namespace plimsoll
