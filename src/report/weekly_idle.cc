#include <algorithm>
#include <optional>
#include <utility>

#include "report/display.h"
#include "report/render.h"
#include "report/weekly_parts.h"

namespace plimsoll {
namespace {

// The classes of GPU time that nobody holds.
constexpr const char* kIdleClasses =
    "class:\"waste\",\"stranded\",\"reserve\",\"quota_held\",\"scale_down_delay\"";

// Percent with one decimal.
Value Percent(const std::optional<std::int64_t>& ppb) {
  if (!ppb) return std::nullopt;
  const std::int64_t tenths = (*ppb + 500'000) / 1'000'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string FilterOf(const PoolWeek& pool) {
  const std::string model = pool.gpu_model == "unknown" ? "" : pool.gpu_model;
  return And(Is("cluster", pool.cluster), And(Is("gpu_model", model), kIdleClasses));
}

std::string LargestText(const PoolWeek& pool) {
  if (pool.is_mig) return "cut cards";
  std::string text;
  for (std::size_t i = 1; i < pool.largest.size(); ++i) {
    text += (text.empty() ? "" : ", ") + pool.largest[i].level + ": " +
            std::to_string(pool.largest[i].gpus);
  }
  return text.empty() ? "no labels" : text;
}

ReportTable PoolTable(const Ask& ask, const CapacityWeek& week) {
  ReportTable table{"idle_pools",
                    "Idle GPUs by cluster and model, and what they are good for",
                    {{"cluster", "Cluster"},
                     {"gpu_model", "GPU model"},
                     {"nodes", "Nodes", ValueKind::kCount},
                     {"gpus", "GPUs", ValueKind::kCount},
                     {"idle", "Idle at the end", ValueKind::kDecimal},
                     {"idle_mean", "Idle, mean", ValueKind::kDecimal},
                     {"unusable_share", "Unusable at the end", ValueKind::kPercent},
                     {"unusable_share_mean", "Unusable, mean", ValueKind::kPercent},
                     {"down", "Free on nodes not up", ValueKind::kDecimal},
                     {"largest_on_node", "Most on one node", ValueKind::kCount},
                     {"largest_in_domain", "Most in one domain"}},
                    {},
                    {}};
  for (const PoolWeek& pool : week.pools) {
    table.rows.push_back(
        {pool.cluster, pool.gpu_model + (pool.is_mig ? " (MIG)" : ""), std::to_string(pool.nodes),
         std::to_string(pool.gpus), GpusText(pool.idle_milli), GpusText(pool.idle_mean_milli),
         Percent(pool.unusable_ppb), Percent(pool.unusable_mean_ppb), GpusText(pool.down_milli),
         pool.is_mig ? std::nullopt : Value(std::to_string(pool.largest.front().gpus)),
         LargestText(pool)});
    table.figures.push_back(ask.FigureOf(FilterOf(pool)));
  }
  return table;
}

// "8 GPUs, 176 CPUs".
std::string ShapeText(const PoolWeek& pool) {
  std::string text = std::to_string(pool.pod_gpus) + (pool.pod_gpus == 1 ? " GPU" : " GPUs");
  if (pool.pod_cpu_milli > 0) text += ", " + GpusText(pool.pod_cpu_milli) + " CPUs";
  return text.ends_with(".0 CPUs") ? text.substr(0, text.size() - 7) + " CPUs" : text;
}

ReportTable SplitTable(const CapacityWeek& week) {
  ReportTable table{"idle_split",
                    "Idle GPUs at the end, for one more pod of the largest typical shape",
                    {{"cluster", "Cluster"},
                     {"gpu_model", "GPU model"},
                     {"pod", "Pod"},
                     {"idle", "Idle", ValueKind::kDecimal},
                     {"fractional", "Parts of GPUs, too small", ValueKind::kDecimal},
                     {"stranded", "Too few on their node", ValueKind::kDecimal},
                     {"lacks_cpu", "No CPU or memory beside", ValueKind::kDecimal},
                     {"usable", "Usable", ValueKind::kDecimal}},
                    {},
                    {}};
  for (const PoolWeek& pool : week.pools) {
    if (pool.pod_gpus == 0 || pool.idle_milli == 0) continue;
    table.rows.push_back({pool.cluster, pool.gpu_model, ShapeText(pool), GpusText(pool.idle_milli),
                          GpusText(pool.fractional_milli), GpusText(pool.stranded_milli),
                          GpusText(pool.lacks_cpu_milli), GpusText(pool.usable_milli)});
  }
  return table;
}

ReportTable GangTable(const CapacityWeek& week) {
  ReportTable table{"gangs",
                    "How many gangs could start at the end",
                    {{"cluster", "Cluster"},
                     {"gpu_model", "GPU model"},
                     {"gpus", "GPUs of a gang", ValueKind::kCount},
                     {"pods", "Pods", ValueKind::kCount},
                     {"by_idle", "By counting idle GPUs", ValueKind::kCount},
                     {"on_nodes", "With nodes for all pods", ValueKind::kCount},
                     {"level", "Domain"},
                     {"in_domain", "Each in one domain", ValueKind::kCount}},
                    {},
                    {}};
  for (const PoolWeek& pool : week.pools) {
    if (pool.idle_milli == 0) continue;
    for (const GangsOfSize& gangs : pool.gangs) {
      const bool is_placed = !gangs.level.empty();
      table.rows.push_back({pool.cluster, pool.gpu_model, std::to_string(gangs.gpus),
                            std::to_string(gangs.pods), std::to_string(gangs.by_idle),
                            std::to_string(gangs.on_nodes), is_placed ? gangs.level : "no labels",
                            is_placed ? Value(std::to_string(gangs.in_domain)) : std::nullopt});
    }
  }
  return table;
}

ReportTable UnfitTable(const Ask& ask, const CapacityWeek& week) {
  ReportTable table{"unfit_jobs",
                    "Jobs that wait at the end beside as many idle GPUs as they need",
                    {{"cluster", "Cluster"},
                     {"gpu_model", "GPU model"},
                     {"jobs", "Jobs", ValueKind::kCount},
                     {"gpus", "GPUs of a job", ValueKind::kCount},
                     {"pods", "Nodes it needs", ValueKind::kCount},
                     {"idle", "Idle GPUs", ValueKind::kDecimal},
                     {"slots", "Nodes that have room", ValueKind::kCount}},
                    {},
                    {}};
  for (const UnfitJobs& jobs : week.unfit) {
    table.rows.push_back({jobs.cluster, jobs.gpu_model, std::to_string(jobs.jobs),
                          std::to_string(jobs.gpus), std::to_string(jobs.pods),
                          GpusText(jobs.idle_milli), std::to_string(jobs.slots)});
    PoolWeek pool;
    pool.cluster = jobs.cluster;
    pool.gpu_model = jobs.gpu_model;
    table.figures.push_back(ask.FigureOf(FilterOf(pool)));
  }
  return table;
}

// Of all pools together: of the idle GPUs of which it is known.
std::optional<std::int64_t> Unusable(const CapacityWeek& week,
                                     std::optional<std::int64_t> PoolWeek::*share,
                                     std::int64_t PoolWeek::*idle) {
  int128 unusable = 0, whole = 0;
  for (const PoolWeek& pool : week.pools) {
    if (!(pool.*share)) continue;
    unusable += int128{*(pool.*share)} * (pool.*idle);
    whole += pool.*idle;
  }
  if (whole == 0) return std::nullopt;
  return static_cast<std::int64_t>((unusable + whole / 2) / whole);
}

void AddIdleFacts(const Ask& ask, const CapacityWeek& week, ReportSection& capacity) {
  std::int64_t idle = 0, mean = 0;
  for (const PoolWeek& pool : week.pools) {
    idle += pool.idle_milli;
    mean += pool.idle_mean_milli;
  }
  const std::string figure = ask.FigureOf(kIdleClasses);
  capacity.facts.push_back({"gpus_idle_mean", "Idle on nodes that are up", ValueKind::kDecimal,
                            GpusText(mean), "GPUs", figure, "mean over the week"});
  capacity.facts.push_back({"gpus_idle", "Idle at the end", ValueKind::kDecimal, GpusText(idle),
                            "GPUs", "", "at " + ToString(week.until)});
  const Value then = Percent(Unusable(week, &PoolWeek::unusable_ppb, &PoolWeek::idle_milli));
  capacity.facts.push_back(
      {"unusable_share", "Idle GPUs of no use to the pods that ran", ValueKind::kPercent,
       Percent(Unusable(week, &PoolWeek::unusable_mean_ppb, &PoolWeek::idle_mean_milli)), "", "",
       "mean over the week" + (then ? "; at the end " + *then + " %" : std::string())});
}

}  // namespace

void AddIdleUse(const Ask& ask, const CapacityWeek& week, ReportSection& capacity) {
  if (week.pools.empty()) {
    capacity.connect.emplace_back(
        "What the idle GPUs are good for needs nodes: plimsoll ingest kubernetes, or scontrol show "
        "node for plimsoll ingest slurm.");
    return;
  }
  AddIdleFacts(ask, week, capacity);
  ReportTable unfit = UnfitTable(ask, week);
  if (!unfit.rows.empty()) capacity.tables.push_back(std::move(unfit));
  capacity.tables.push_back(PoolTable(ask, week));
  ReportTable split = SplitTable(week), gangs = GangTable(week);
  if (!split.rows.empty()) capacity.tables.push_back(std::move(split));
  if (!gangs.rows.empty()) capacity.tables.push_back(std::move(gangs));
  capacity.sentences.emplace_back(
      "Unusable is the share of idle GPUs that the GPU pods that ran could not use as they lie "
      "(too few on a node, parts of GPUs, no CPU beside), by how often each shape occurs.");
  const bool has_levels = std::any_of(week.pools.begin(), week.pools.end(),
                                      [](const PoolWeek& pool) { return pool.largest.size() > 1; });
  if (!has_levels) {
    capacity.connect.emplace_back(
        "Gangs in one zone, block or rack need nodes with topology labels: no node has one, so "
        "that only nodes are told apart.");
  }
  if (std::any_of(week.pools.begin(), week.pools.end(),
                  [](const PoolWeek& pool) { return pool.is_mig; })) {
    capacity.sentences.emplace_back(
        "Which MIG instance lies on which card is not on record: of nodes with cut cards only the "
        "sum of what is idle is shown.");
  }
  if (week.overbooked > 0) {
    capacity.sentences.push_back(
        std::to_string(week.overbooked) +
        " holdings say to hold more than their node had left: two sources may disagree about it.");
  }
}

}  // namespace plimsoll
