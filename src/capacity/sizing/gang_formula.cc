#include "capacity/sizing/gang_formula.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "base/check.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

double SquaredVariation(const Moments& moments) {
  return moments.mean() > 0 ? moments.variance() / (moments.mean() * moments.mean()) : 0;
}

const TrainingJob& CommonestGang(const std::vector<const TrainingJob*>& jobs) {
  std::map<std::int64_t, std::int64_t> count;
  for (const TrainingJob* const job : jobs) ++count[GpuMilli(*job)];
  const auto commonest =
      std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second, a.first) < std::pair(b.second, b.first);
      });
  return **std::find_if(jobs.begin(), jobs.end(),
                        [&](const TrainingJob* job) { return GpuMilli(*job) == commonest->first; });
}

}  // namespace

std::int64_t GangServers(const Cluster& cluster, const PodShape& shape, std::int32_t pods,
                         std::optional<std::uint32_t> level) {
  PLIMSOLL_CHECK(pods >= 1);
  std::map<DomainId, std::int64_t> slots;  // kNoDomain: the whole cluster
  for (NodeId id = 0; id < cluster.size(); ++id) {
    DomainId domain = kNoDomain;
    if (level) {
      const std::vector<DomainId>& domains = cluster.node(id).domains;
      if (*level >= domains.size() || domains[*level] == kNoDomain) continue;
      domain = domains[*level];
    }
    slots[domain] += cluster.Slots(id, shape);
  }
  std::int64_t servers = 0;
  for (const auto& [domain, count] : slots) servers += count / pods;
  return servers;
}

std::optional<ClassLoad> LoadOf(std::span<const TrainingJob> jobs) {
  std::vector<const TrainingJob*> with_gpus;
  Moments between, runs;
  double work = 0;
  Window window;
  for (const TrainingJob& job : jobs) {
    if (GpuMilli(job) == 0) continue;
    if (with_gpus.empty()) {
      window = {job.submitted, job.submitted};
    } else {
      between.Add(static_cast<double>(Between(window.until, job.submitted).base()));
    }
    window.until = job.submitted;
    with_gpus.push_back(&job);
    runs.Add(static_cast<double>(job.run.base()));
    work += static_cast<double>(GpuMilli(job)) * static_cast<double>(job.run.base());
  }
  if (with_gpus.size() < 2 || window.empty()) return std::nullopt;
  ClassLoad load;
  load.jobs = runs.count();
  load.gang = CommonestGang(with_gpus);
  load.between_ms = between.mean();
  load.run_ms = runs.mean();
  load.variability = {SquaredVariation(between), SquaredVariation(runs)};
  // Each job brings its work once in the mean time between two.
  load.load = work / static_cast<double>(runs.count()) / static_cast<double>(GpuMilli(load.gang)) /
              load.between_ms;
  return load;
}

FormulaAnswer FormulaOf(const ClassLoad& load, std::int64_t servers, Duration within) {
  FormulaAnswer answer;
  answer.servers = servers;
  if (servers < 1) {
    answer.utilization = answer.mmc_ms = answer.allen_cunneen_ms = answer.sakasegawa_ms =
        std::numeric_limits<double>::infinity();
    answer.waits = 1;
    return answer;
  }
  answer.utilization = load.load / static_cast<double>(servers);
  answer.waits = ErlangC(servers, load.load);
  const double t = static_cast<double>(within.base()) / load.run_ms;
  answer.within = 1 - WaitBeyondOfMmc(servers, load.load, t);
  answer.mmc_ms = WaitOfMmc(servers, load.load) * load.run_ms;
  answer.allen_cunneen_ms = AllenCunneenWait(servers, load.load, load.variability) * load.run_ms;
  answer.sakasegawa_ms = SakasegawaWait(servers, load.load, load.variability) * load.run_ms;
  if (servers == 1) {
    answer.kingman_ms = KingmanWait(load.load, load.variability) * load.run_ms;
  }
  return answer;
}

}  // namespace plimsoll
