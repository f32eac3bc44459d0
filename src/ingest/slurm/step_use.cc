#include "ingest/slurm/step_use.h"

#include <algorithm>
#include <iterator>

namespace plimsoll {
namespace {

constexpr std::int64_t kPpmOfPercent = 10'000;

struct Run {
  std::vector<std::size_t> rows;
  // GPU-milliseconds by node and device kind: the most that a sighting of it tells.
  std::map<std::pair<std::string, std::string>, int128> held_by;
  int128 used = 0;  // ppm x GPU-milliseconds
  bool told = false;
  bool unclear = false;
};

using Runs = std::map<std::string, std::map<Instant, Run>>;  // by job id and begin

Runs RunsOf(const std::string& cluster, const HoldingBatch& holdings) {
  Runs runs;
  for (std::size_t i = 0; i < RowsOf(holdings); ++i) {
    if (holdings.cluster[i] != cluster) continue;
    Run& run = runs[holdings.name[i]][holdings.begin[i]];
    run.rows.push_back(i);
    if (!holdings.until[i]) continue;
    int128& held = run.held_by[{holdings.node[i], holdings.device_kind[i]}];
    held = std::max(
        held, int128{holdings.devices[i]} * Between(holdings.begin[i], *holdings.until[i]).base());
  }
  return runs;
}

int128 HeldOf(const Run& run) {
  int128 sum = 0;
  for (const auto& [part, held] : run.held_by) sum += held;
  return sum;
}

void AddStep(const StepUse& step, Run& run) {
  if (step.gpus == 0 && step.percent.value_or(0) == 0) return;
  if (step.gpus == 0 || !step.percent || *step.percent > 100) {
    run.unclear = true;
    return;
  }
  run.told = true;
  run.used += int128{*step.percent} * kPpmOfPercent * step.gpus * step.elapsed.base();
}

}  // namespace

void StepUses::Add(const std::string& cluster, const std::string& job, const std::string& step,
                   const StepUse& use) {
  const auto [at, is_new] = by_job_[{cluster, job}].emplace(std::pair(step, use.start), use);
  if (!is_new) at->second = std::max(at->second, use);
}

void StepUses::ApplyTo(const std::string& cluster, HoldingBatch& holdings) const {
  if (by_job_.empty()) return;
  for (auto& [job, runs] : RunsOf(cluster, holdings)) {
    const auto found = by_job_.find({cluster, job});
    if (found == by_job_.end()) continue;
    for (const auto& [key, step] : found->second) {
      // Runs of a requeued job follow one another: a step is of the last that had begun.
      const auto after = runs.upper_bound(step.start);
      if (after != runs.begin()) AddStep(step, std::prev(after)->second);
    }
    for (auto& [begin, run] : runs) {
      const int128 held = HeldOf(run);
      if (!run.told || run.unclear || held <= 0) continue;
      const int128 ppm = std::min<int128>(run.used / held, kPpmOfPercent * 100);
      for (const std::size_t row : run.rows) {
        if (holdings.used_ppm[row]) continue;
        holdings.used_ppm[row] = static_cast<std::int64_t>(ppm);
        holdings.used_signal[row] = kSignalGpuUtilTres;
      }
    }
  }
}

}  // namespace plimsoll
