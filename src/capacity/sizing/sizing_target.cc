#include "capacity/sizing/sizing_target.h"

#include "base/check.h"

namespace plimsoll {
namespace {

bool Takes(const JobClass& one, const TrainingJob& job) {
  const std::int64_t gpus = (GpuMilli(job) + kMilliPerGpu - 1) / kMilliPerGpu;
  return gpus >= one.gpus_min && gpus <= one.gpus_max && (!one.queue || *one.queue == job.queue);
}

void AddCauses(const WaitSplit& split, WaitOutcome& outcome) {
  for (std::size_t i = 0; i < kWaitCauses; ++i) outcome.by_cause_ms[i] += split.by_cause[i].base();
}

void AddWait(const JobOutcome& job, std::optional<Duration> within, WaitOutcome& outcome) {
  AddCauses(job.first_wait, outcome);
  if (!job.started) {
    outcome.waits.AddUnstarted();
    return;
  }
  const Duration wait = job.first_wait.total();
  outcome.waits.Add(wait);
  outcome.within += within && wait <= *within;
}

WaitOutcome ProbeWaits(const std::vector<ProbeAnswer>& answers, Duration within) {
  WaitOutcome outcome;
  for (const ProbeAnswer& answer : answers) {
    AddCauses(answer.split, outcome);
    if (!answer.wait) {
      outcome.waits.AddUnstarted();
      continue;
    }
    outcome.waits.Add(*answer.wait);
    outcome.within += *answer.wait <= within;
  }
  return outcome;
}

}  // namespace

std::optional<std::size_t> ClassOf(const SizingTargets& targets, const TrainingJob& job) {
  for (std::size_t i = 0; i < targets.classes.size(); ++i) {
    if (Takes(targets.classes[i], job)) return i;
  }
  return std::nullopt;
}

ReplicationOutcome MeasureRun(const SizingTargets& targets, const TrainingWorkload& workload,
                              const QueueOutcome& run, std::optional<Instant> cut) {
  PLIMSOLL_CHECK(run.jobs.size() == workload.jobs.size());
  PLIMSOLL_CHECK(run.probes.size() == targets.gangs.size());
  ReplicationOutcome measured;
  measured.classes.resize(targets.classes.size());
  for (std::size_t i = 0; i < run.jobs.size(); ++i) {
    const TrainingJob& job = workload.jobs[i];
    const JobOutcome& outcome = run.jobs[i];
    if (outcome.state == JobState::kNotSubmitted || job.submitted < run.totals.window.begin)
      continue;
    measured.interruptions += outcome.failures + outcome.evictions + outcome.preemptions;
    if (job.deadline && (!cut || *job.deadline <= *cut)) {
      measured.deadlines.hits += outcome.ended && *outcome.ended <= *job.deadline;
      ++measured.deadlines.count;
    }
    const std::optional<std::size_t> at = ClassOf(targets, job);
    if (!at) continue;
    const std::optional<Duration> within = targets.classes[*at].within;
    if (cut && job.submitted + within.value_or(Duration()) > *cut) continue;
    AddWait(outcome, within, measured.classes[*at]);
  }
  for (std::size_t i = 0; i < targets.gangs.size(); ++i) {
    measured.gangs.push_back(ProbeWaits(run.probes[i], targets.gangs[i].within));
  }
  const ClusterTotals& totals = run.totals;
  measured.used = totals.used.base();
  measured.capacity = totals.capacity.base();
  measured.lost = totals.uses[GpuUse::kLost].base() + totals.uses[GpuUse::kRestart].base();
  measured.fingerprint = run.fingerprint.value();
  PLIMSOLL_CHECK(measured.used <= measured.capacity);
  return measured;
}

std::vector<ProbeSpec> ProbesOf(const SizingTargets& targets, std::int32_t epochs) {
  std::vector<ProbeSpec> probes;
  for (const GangTarget& gang : targets.gangs)
    probes.push_back({gang.job, gang.within, epochs, {}});
  return probes;
}

}  // namespace plimsoll
