#include "cli/training_bounds.h"

#include <algorithm>
#include <map>
#include <set>

#include "capacity/sizing/lower_bounds.h"
#include "config/duration.h"

namespace plimsoll {
namespace {

// Of groups: the flavors that they have, each once; "" if it is all groups.
std::string FlavorsText(const TrainingModel& model, FlavorSet groups) {
  std::string text;
  std::set<std::string> named;
  bool all = true;
  for (std::size_t i = 0; i < model.groups.size(); ++i) {
    const bool is_in = Accepts(groups, static_cast<std::uint32_t>(i));
    all = all && is_in;
    if (!is_in || !named.insert(model.groups[i].flavor).second) continue;
    text += (text.empty() ? "" : ", ") + model.groups[i].flavor;
  }
  return all ? "" : text;
}

std::string LevelName(const TrainingModel& model, std::optional<std::uint32_t> level) {
  return level && *level < model.levels.size() ? model.levels[*level] : "";
}

std::string HoursOf(Duration length) {
  return FormatDuration(Millis(length.base() / 60'000 * 60'000));
}

// GPUs of the largest domain of each level.
std::int64_t LargestDomain(const Cluster& cluster, std::uint32_t level) {
  std::map<DomainId, std::int64_t> gpus;
  for (NodeId id = 0; id < cluster.size(); ++id) {
    const NodeSpec& node = cluster.node(id);
    if (level >= node.domains.size() || node.domains[level] == kNoDomain) continue;
    gpus[node.domains[level]] += node.gpus;
  }
  std::int64_t largest = 0;
  for (const auto& [domain, count] : gpus) largest = std::max(largest, count);
  return largest;
}

void AddGangs(const TrainingModel& model, std::span<const Demand> demands,
              std::vector<BoundRow>& rows) {
  for (const GangBound& bound : GangBounds(demands)) {
    const std::string level = LevelName(model, bound.level);
    rows.push_back({"gang", FlavorsText(model, bound.flavors), level, bound.gpus,
                    level.empty() ? "the largest that must start"
                                  : "the largest that must lie in one " + level});
  }
}

void AddPins(const TrainingModel& model, std::span<const Demand> demands,
             std::vector<BoundRow>& rows) {
  for (const PinnedBound& bound : PinnedBounds(demands)) {
    const std::string flavors = FlavorsText(model, bound.flavors);
    if (flavors.empty()) continue;
    rows.push_back({"pinned", flavors, "", bound.work,
                    "work of " + std::to_string(bound.jobs) + " jobs that take nothing else"});
    rows.push_back({"pinned peak", flavors, "", bound.peak.gpus,
                    "no wait for them, as at " + ToString(bound.peak.at)});
  }
}

void AddBins(const TrainingModel& model, std::span<const Demand> demands, const Cluster& cluster,
             std::vector<BoundRow>& rows) {
  for (std::uint32_t level = 0; level < model.levels.size(); ++level) {
    const std::int64_t size = LargestDomain(cluster, level);
    if (size == 0) continue;
    const std::optional<BinBound> bound = BinBoundOf(demands, level, size);
    if (!bound || bound->domains == 0) continue;
    rows.push_back({"bins", "", model.levels[level], bound->domains * size,
                    "no wait: " + std::to_string(bound->domains) + " domains of " +
                        std::to_string(size) + " for gangs that run at once"});
  }
}

bool Breaks(const NodeRisk& risk) {
  return risk.failures_per_million_node_days > 0 || risk.evictions_per_million_node_days > 0;
}

std::vector<TrainingJob> JobsOf(const SizingTargets& targets, const TrainingWorkload& workload,
                                std::size_t index) {
  std::vector<TrainingJob> jobs;
  for (const TrainingJob& job : workload.jobs) {
    if (ClassOf(targets, job) == index) jobs.push_back(job);
  }
  return jobs;
}

FormulaRow RowOf(TargetId target, const ClassLoad& load, const Cluster& cluster, Duration within) {
  const TrainingJob& gang = load.gang;
  std::optional<std::uint32_t> level;
  if (gang.topology.mode == TopologyMode::kRequired) level = gang.topology.level;
  const std::int64_t servers = GangServers(cluster, gang.shape, gang.pods, level);
  return {target, GangServers(cluster, gang.shape, gang.pods, std::nullopt), load,
          FormulaOf(load, servers, within)};
}

}  // namespace

std::vector<BoundRow> BoundRows(const TrainingModel& model, const TrainingWorkload& workload) {
  const std::vector<Demand> demands = DemandOf(workload.jobs);
  std::vector<BoundRow> rows;
  const Window window = ReleaseWindow(demands);
  if (!window.empty()) {
    rows.push_back({"work", "", "", WorkBound(demands, window.length(), kPerBillion),
                    "GPU time of all jobs over " + HoursOf(window.length())});
  }
  AddGangs(model, demands, rows);
  AddPins(model, demands, rows);
  const PeakBound peak = PeakOf(demands);
  if (peak.gpus > 0) {
    rows.push_back({"peak", "", "", peak.gpus, "no wait for anyone, as at " + ToString(peak.at)});
  }
  const DeadlineBound deadline = DeadlineBoundOf(demands);
  if (deadline.gpus > 0) {
    rows.push_back({"deadlines", "", "", deadline.gpus,
                    "all deadlines, as in " + ToString(deadline.interval)});
  }
  std::vector<std::int64_t> units;
  for (const FleetAxis& group : model.groups) units.push_back(group.units.at(0));
  AddBins(model, demands, model.fleet(units).cluster, rows);
  return rows;
}

std::vector<CertainBound> CertainBounds(const TrainingModel& model,
                                        const TrainingSettings& settings,
                                        const SizingTargets& targets,
                                        const TrainingWorkload& workload) {
  const RiskModel risks = model.fleet(settings.units).options.risks;
  const bool breaks = std::any_of(risks.of_flavor.begin(), risks.of_flavor.end(), Breaks) ||
                      !risks.domains.empty() || !risks.maintenance.empty() ||
                      settings.failures.value_or(0) > 0;
  // Jobs of the warm-up are not judged.
  std::vector<TrainingJob> judged;
  for (const TrainingJob& job : workload.jobs) {
    if (job.submitted >= workload.jobs.front().submitted + settings.warm_up) judged.push_back(job);
  }
  const std::vector<Demand> certain = CertainDemand(targets, judged, breaks || settings.preemption);
  std::vector<CertainBound> bounds;
  for (const PinnedBound& pinned : PinnedBounds(certain)) {
    CertainBound bound;
    bound.gpus = pinned.deadline.gpus;
    for (std::size_t i = 0; i < model.groups.size(); ++i) {
      if (Accepts(pinned.flavors, static_cast<std::uint32_t>(i))) bound.axes.push_back(i);
    }
    bounds.push_back(std::move(bound));
  }
  return bounds;
}

std::vector<FormulaRow> FormulaRows(const SizingTargets& targets, const TrainingWorkload& workload,
                                    const Cluster& cluster) {
  std::vector<FormulaRow> rows;
  for (std::size_t i = 0; i < targets.classes.size(); ++i) {
    const std::vector<TrainingJob> jobs = JobsOf(targets, workload, i);
    const std::optional<ClassLoad> load = LoadOf(jobs);
    if (!load) continue;
    rows.push_back(RowOf({TargetKind::kClass, i}, *load, cluster,
                         targets.classes[i].within.value_or(Duration())));
  }
  for (std::size_t i = 0; i < targets.gangs.size(); ++i) {
    const GangTarget& gang = targets.gangs[i];
    std::vector<TrainingJob> jobs;
    for (const TrainingJob& job : workload.jobs) {
      if (GpuMilli(job) == GpuMilli(gang.job)) jobs.push_back(job);
    }
    std::optional<ClassLoad> load = LoadOf(jobs);
    if (!load) continue;
    load->gang = gang.job;
    rows.push_back(RowOf({TargetKind::kGang, i}, *load, cluster, gang.within));
  }
  return rows;
}

}  // namespace plimsoll
