#include "capacity/queue/queue_simulation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"
#include "capacity/queue/queue_engine.h"
#include "sim/random.h"
#include "units/money.h"

namespace plimsoll {
namespace {

Error Invalid(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Status CheckTopology(const Cluster& cluster, const TrainingJob& job, const std::string& name) {
  const TopologyRequest& topology = job.topology;
  const std::size_t levels = cluster.tree().levels().size();
  if (topology.mode == TopologyMode::kNone && topology.slice_pods == 0) return Ok();
  if (topology.level > levels || topology.slice_level > levels) {
    return Invalid(name + " asks for topology level " +
                   std::to_string(std::max(topology.level, topology.slice_level)) +
                   ", but the cluster has " + std::to_string(levels) +
                   " (and the node below them)");
  }
  if (topology.slice_pods == 0) return Ok();
  if (topology.slice_pods < 0 || job.pods % topology.slice_pods != 0) {
    return Invalid(name + " has " + std::to_string(job.pods) + " pods, not a multiple of its " +
                   std::to_string(topology.slice_pods) + " pods a slice: change one of them");
  }
  if (topology.slice_level < topology.level) {
    return Invalid(name +
                   " wants slices in wider domains than the whole gang: the slice level "
                   "must be the level or one below");
  }
  return Ok();
}

Status CheckJob(const Cluster& cluster, const TrainingJob& job, const std::string& name,
                std::size_t queues) {
  if (job.pods < 1 || job.pods_min < 1 || job.pods_min > job.pods) {
    return Invalid(name + " has " + std::to_string(job.pods_min) + " to " +
                   std::to_string(job.pods) + " pods: at least one, the least first");
  }
  if (job.shape.gpus < 0 || job.shape.cpu_milli < 0 || job.shape.memory_mib < 0 ||
      job.shape.gpu_milli < 1 || job.shape.gpu_milli > kMilliPerGpu ||
      (job.shape.gpu_milli < kMilliPerGpu && job.shape.gpus > 1)) {
    return Invalid(name +
                   " asks for an amount of GPU, CPU or memory that is not one: below zero, "
                   "or parts of more than one GPU");
  }
  if (job.run < Duration() || job.submitted < Instant()) {
    return Invalid(name + " runs for less than nothing, or was submitted before 1970");
  }
  if (job.queue >= queues) {
    return Invalid(name + " is in queue number " + std::to_string(job.queue) +
                   ", but the workload has " + std::to_string(queues));
  }
  for (const std::uint32_t flavor : job.flavor_order) {
    if (flavor >= cluster.flavors().size()) {
      return Invalid(name + " prefers flavor number " + std::to_string(flavor) +
                     ", but the cluster has " + std::to_string(cluster.flavors().size()));
    }
  }
  return CheckTopology(cluster, job, name);
}

Status CheckRisks(const Cluster& cluster, const RiskModel& risks) {
  for (const DomainRisk& risk : risks.domains) {
    if (risk.level >= cluster.tree().levels().size() || risk.failures_per_million_domain_days < 0) {
      return Invalid("a domain risk names level " + std::to_string(risk.level) +
                     " or a rate below zero; the cluster has " +
                     std::to_string(cluster.tree().levels().size()) + " levels");
    }
  }
  for (const NodeRisk& risk : risks.of_flavor) {
    if (risk.failures_per_million_node_days < 0 || risk.evictions_per_million_node_days < 0 ||
        risk.repair < Duration() || risk.away < Duration()) {
      return Invalid("a node risk has a rate or a time below zero");
    }
  }
  const auto exists = [&](NodeId node) { return node < cluster.size(); };
  for (const Maintenance& planned : risks.maintenance) {
    if (!std::ranges::all_of(planned.nodes, exists) || planned.drain < Duration()) {
      return Invalid(
          "a maintenance names a node that the cluster does not have, or a drain time "
          "below zero");
    }
  }
  if (!std::ranges::all_of(risks.spares, exists)) {
    return Invalid("a spare is a node that the cluster does not have");
  }
  return Ok();
}

Status CheckOptions(const QueueOptions& options) {
  const bool plans = options.discipline == QueueDiscipline::kEasy ||
                     options.discipline == QueueDiscipline::kConservative;
  if (options.line_per_queue && plans) {
    return Invalid(
        "backfill reserves for one line of all queues: leave line_per_queue off, or "
        "take the discipline strict or best_effort");
  }
  const auto waits_only = [](QueueDiscipline discipline) {
    return discipline == QueueDiscipline::kStrict || discipline == QueueDiscipline::kBestEffort;
  };
  if (!std::ranges::all_of(options.of_queue, waits_only)) {
    return Invalid("a queue of its own line is strict or best_effort");
  }
  if (options.discipline == QueueDiscipline::kConservative &&
      (options.preemption || options.quota || options.node_chooser)) {
    return Invalid(
        "conservative backfill plans starts on its own: it goes without preemption, "
        "quota and a node policy; take easy or best_effort with them");
  }
  if (options.warm_up < Duration() || options.backfill.resolution < Millis(1) ||
      options.backfill.jobs_max < 1 || options.multifactor.recalculation < Millis(1) ||
      (options.timeline_step && *options.timeline_step < Millis(1))) {
    return Invalid(
        "a warm-up, resolution, recalculation or timeline step is not above zero, or "
        "backfill looks at no job");
  }
  if (options.begin && options.until && *options.until <= *options.begin) {
    return Invalid("the simulation ends before it begins");
  }
  return Ok();
}

// GPU time of all nodes over that many milliseconds is counted exactly, twice over.
std::int64_t CountedMillis(const Cluster& cluster) {
  return (std::int64_t{1} << 62) / std::max<std::int64_t>(cluster.gpu_milli_total(), 1);
}

// Whether GPU time stays within 64 bits over the time that input and options name.
Status CheckSpan(const Cluster& cluster, const TrainingWorkload& workload,
                 const QueueOptions& options) {
  if (workload.jobs.empty() && !(options.begin && options.until)) return Ok();
  const auto begin = options.begin ? *options.begin : workload.jobs.front().submitted;
  int128 span = 0;
  if (options.until) {
    span = int128{options.until->base()} - begin.base();
  } else {
    const auto longest = std::ranges::max_element(workload.jobs, {}, &TrainingJob::run);
    span = int128{workload.jobs.back().submitted.base()} + longest->run.base() - begin.base();
  }
  const std::int64_t most = CountedMillis(cluster);
  if (span <= most) return Ok();
  const auto days = [](int128 ms) {
    return std::to_string(static_cast<std::int64_t>(ms / Days(1).base())) + " days";
  };
  return Invalid(std::to_string(cluster.gpu_milli_total() / kMilliPerGpu) + " GPUs over " +
                 days(span) + " of simulated time are more GPU time than is counted exactly (" +
                 days(most) +
                 " of them): check the earliest submission times and the longest run, or give a "
                 "later begin or an earlier until");
}

std::vector<Instant> EpochsOf(const ProbeSpec& probe, Window window, RandomStream& random) {
  std::vector<Instant> epochs = probe.at;
  // Given their number, the epochs of a Poisson process lie uniformly.
  const std::int64_t length = std::max<std::int64_t>(window.length().base(), 1);
  for (std::int32_t i = 0; i < probe.epochs && probe.at.empty(); ++i) {
    const auto after = static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(length)));
    epochs.push_back(window.begin + Millis(after));
  }
  std::ranges::sort(epochs);
  return epochs;
}

}  // namespace

Status CheckQueueInput(const Cluster& cluster, const TrainingWorkload& workload,
                       const QueueOptions& options) {
  PLIMSOLL_RETURN_IF_ERROR(CheckOptions(options));
  PLIMSOLL_RETURN_IF_ERROR(CheckRisks(cluster, options.risks));
  std::vector<const TrainingJob*> jobs;
  for (const TrainingJob& job : workload.jobs) jobs.push_back(&job);
  for (const ProbeSpec& probe : options.probes) jobs.push_back(&probe.job);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const bool is_probe = i >= workload.jobs.size();
    const std::string name = is_probe ? "the probe '" + jobs[i]->name + "'"
                                      : "job " + std::to_string(i + 1) + " '" + jobs[i]->name + "'";
    PLIMSOLL_RETURN_IF_ERROR(CheckJob(cluster, *jobs[i], name, QueuesOf(workload)));
    if (!is_probe && i > 0 && jobs[i]->submitted < jobs[i - 1]->submitted) {
      return Invalid(name + " was submitted before the job above it: sort the jobs by time");
    }
    if (options.discipline == QueueDiscipline::kConservative && SharesGpu(jobs[i]->shape)) {
      return Invalid(name +
                     " shares a GPU, but conservative backfill plans whole GPUs: take the "
                     "discipline easy or best_effort");
    }
  }
  return CheckSpan(cluster, workload, options);
}

QueueOutcome SimulateQueue(const Cluster& cluster, const TrainingWorkload& workload,
                           const QueueOptions& options, QueueSeed seed) {
  QueueEngine engine(cluster, workload, options, seed);
  struct Epoch {
    Instant at;
    std::size_t probe;
  };
  std::vector<Epoch> epochs;
  const Window window{engine.begin() + options.warm_up,
                      options.until.value_or(engine.last_submission() + Millis(1))};
  RandomStream random(seed.seed, "probes", seed.replication);
  for (std::size_t i = 0; i < options.probes.size(); ++i) {
    for (const Instant at : EpochsOf(options.probes[i], window, random)) epochs.push_back({at, i});
  }
  std::ranges::stable_sort(epochs, {}, &Epoch::at);
  std::vector<std::vector<ProbeAnswer>> answers(options.probes.size());
  for (const Epoch& epoch : epochs) {
    const ProbeSpec& probe = options.probes[epoch.probe];
    engine.RunUntil(epoch.at - Millis(1));
    QueueEngine branch(engine);
    answers[epoch.probe].push_back(branch.Ask(probe.job, epoch.at, probe.within));
  }
  QueueOutcome outcome = engine.Finish();
  outcome.probes = std::move(answers);
  return outcome;
}

}  // namespace plimsoll
