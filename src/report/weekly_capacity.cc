#include <map>

#include "report/facts_sql.h"
#include "report/weekly_parts.h"

namespace plimsoll {
namespace {

// Average of GPUs over the window, with one decimal: GPU-time / length.
Value AverageGpus(GpuHours time, Window window) {
  const int128 tenths =
      (int128{time.base()} * 10 + window.length().base() / 2) / window.length().base();
  const auto value = static_cast<std::int64_t>(tenths);
  return std::to_string(value / 10) + "." + std::to_string(value % 10);
}

ReportFact GpusFact(const Ask& ask, std::string key, std::string label, GpuHours time,
                    const std::string& filter) {
  return {
      std::move(key), std::move(label),     ValueKind::kDecimal,    AverageGpus(time, ask.window()),
      "GPUs",         ask.FigureOf(filter), "average over the week"};
}

Result<ReportTable> FlavorTable(const Ask& ask) {
  ReportTable table{"flavors",
                    "Flavors: GPU model by capacity type",
                    {{"gpu_model", "GPU model"},
                     {"capacity_type", "Capacity type"},
                     {"nodes", "Nodes", ValueKind::kCount},
                     {"gpus_average", "GPUs (average)", ValueKind::kDecimal},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"used_share", "Used", ValueKind::kPercent},
                     {"cost", "Cost", ValueKind::kMoney}},
                    {},
                    {}};
  PLIMSOLL_TRY(const Flavors flavors, ReadFlavors(ask.store(), ask.window()));
  std::map<std::pair<std::string, std::string>, std::int64_t> nodes;
  for (std::size_t i = 0; i < flavors.nodes.size(); ++i) {
    nodes[{flavors.gpu_model[i], flavors.capacity_type[i]}] = flavors.nodes[i];
  }
  PLIMSOLL_TRY(const auto rows, ask.Rows({"gpu_model", "capacity_type"}, "node!:\"\""));
  for (const LedgerRow& row : rows) {
    if (row.gpu_time == GpuHours()) continue;
    table.rows.push_back({row.keys[0].empty() ? Value("unknown") : Value(row.keys[0]), row.keys[1],
                          std::to_string(nodes[{row.keys[0], row.keys[1]}]),
                          AverageGpus(row.gpu_time, ask.window()), HoursCell(row.gpu_time),
                          UsedShare(row.gpu_used, row.gpu_time), MoneyCell(row.cost)});
    table.figures.push_back(ask.FigureOf(
        And(Is("gpu_model", row.keys[0]), And(Is("capacity_type", row.keys[1]), "node!:\"\""))));
  }
  return table;
}

ReportTable ClassTable(const Ask& ask, const ClassSums& classes) {
  ReportTable table{"classes",
                    "GPU time by class",
                    {{"class", "Class"},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"share", "Share", ValueKind::kPercent},
                     {"cost", "Cost", ValueKind::kMoney}},
                    {},
                    {}};
  for (std::size_t i = 1; i < kCostClassCount; ++i) {
    const Sum& sum = classes.of[i];
    if (sum.gpu_time == GpuHours() && sum.cost == Money()) continue;
    const std::string name = kCostClassNames[i];
    table.rows.push_back({name, HoursCell(sum.gpu_time),
                          PercentOf(sum.gpu_time.base(), classes.all.gpu_time.base()),
                          MoneyCell(sum.cost)});
    table.figures.push_back(ask.FigureOf(Is("class", name)));
  }
  return table;
}

// Hours up to eight days, days beyond: bars that can be told apart.
Result<ReportChart> ClassChart(const Ask& ask) {
  const bool hourly = ask.window().length() <= Days(8);
  const Duration step = hourly ? Hours(1) : Days(1);
  ReportChart chart{
      "gpu_hours_by_class",
      hourly ? "GPU-hours by class, each hour (UTC)" : "GPU-hours by class, each day (UTC)",
      "GPU-hours",
      {},
      {}};
  std::map<std::string, std::size_t> index;
  for (Instant t = FloorTo(ask.window().begin, step); t < ask.window().until; t = t + step) {
    const std::string name = hourly ? ToString(t) : ToDateString(t);
    index[name] = chart.categories.size();
    chart.categories.push_back(hourly ? name.substr(0, 16) : name);
  }
  PLIMSOLL_TRY(const auto rows, ask.Rows({hourly ? "hour" : "day", "class"}, ""));
  std::map<std::string, std::vector<std::string>> series;
  for (const LedgerRow& row : rows) {
    if (row.gpu_time == GpuHours()) continue;
    auto& values = series[row.keys[1]];
    values.resize(chart.categories.size(), "0");
    const auto at = index.find(row.keys[0]);
    if (at != index.end()) values[at->second] = ToDecimalHours(row.gpu_time);
  }
  for (std::size_t i = 1; i < kCostClassCount; ++i) {  // in class order, always the same
    const auto found = series.find(kCostClassNames[i]);
    if (found != series.end()) chart.series.push_back({found->first, found->second});
  }
  return chart;
}

// The chart's numbers by day: what is read without scripts.
Result<ReportTable> DayTable(const Ask& ask) {
  ReportTable table{"classes_by_day", "GPU-hours by class and day (UTC)", {{"day", "Day"}}, {}, {}};
  PLIMSOLL_TRY(const auto rows, ask.Rows({"day", "class"}, ""));
  std::map<std::string, std::map<std::string, GpuHours>> days;
  for (const LedgerRow& row : rows) {
    if (row.gpu_time != GpuHours()) days[row.keys[0]][row.keys[1]] += row.gpu_time;
  }
  std::vector<std::string> classes;
  for (std::size_t i = 1; i < kCostClassCount; ++i) {
    const std::string name = kCostClassNames[i];
    bool any = false;
    for (const auto& [day, sums] : days) any = any || sums.contains(name);
    if (!any) continue;
    classes.push_back(name);
    table.columns.push_back({name, name, ValueKind::kHours});
  }
  for (auto& [day, sums] : days) {
    std::vector<Value> row{day};
    for (const std::string& name : classes) row.push_back(HoursCell(sums[name]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// a / b of units per millisecond, as a whole number, rounded half up.
Value Mean(std::optional<int128> sum, std::optional<int128> millis) {
  if (!sum || !millis || *millis <= 0) return std::nullopt;
  return std::to_string(static_cast<std::int64_t>((*sum + *millis / 2) / *millis));
}

}  // namespace

Result<ReportSection> CapacitySection(const Ask& ask, const ClassSums& classes) {
  ReportSection section;
  section.key = "capacity";
  section.title = "Capacity";
  const GpuHours unavailable = classes.Of(CostClass::kUnavailable).gpu_time;
  PLIMSOLL_TRY(const Sum maintenance, ask.Total(kInMaintenance));
  section.facts = {
      GpusFact(ask, "gpus_total", "GPUs in the fleet", classes.all.gpu_time, ""),
      GpusFact(ask, "gpus_available", "Available", classes.all.gpu_time - unavailable,
               "class!:\"unavailable\""),
      GpusFact(ask, "gpus_failed", "Failed, missing, starting or cordoned",
               unavailable - maintenance.gpu_time, kNotWell),
      GpusFact(ask, "gpus_maintenance", "In maintenance", maintenance.gpu_time, kInMaintenance),
  };
  PLIMSOLL_TRY(ReportTable flavors, FlavorTable(ask));
  section.tables = {std::move(flavors), ClassTable(ask, classes)};
  if (maintenance.gpu_time == GpuHours()) {
    section.connect = {
        "Maintenance is what plimsoll.yaml declares, or a node or Slurm reservation says: none of "
        "it is known for this time."};
  }
  return section;
}

Result<ReportSection> UtilizationSection(const Ask& ask, const ClassSums& classes) {
  ReportSection section;
  section.key = "utilization";
  section.title = "Utilization";
  const int128 all = classes.all.gpu_time.base();
  PLIMSOLL_TRY(const UsageSums usage, ReadUsageSums(ask.store(), ask.window()));
  const bool has_usage = usage.covered_ms > 0;
  const std::string connect = "connect DCGM metrics";
  const auto share = [&](const char* key, const char* label, CostClass c) {
    const std::string filter = Is("class", std::string(NameOf(c)));
    return ReportFact{key,
                      label,
                      ValueKind::kPercent,
                      PercentOf(classes.Of(c).gpu_time.base(), all),
                      "",
                      ask.FigureOf(filter),
                      "of provisioned GPU-hours"};
  };
  ReportFact used = share("used_share", "Used", CostClass::kUsed);
  if (!classes.HasSignal()) {
    used.value = std::nullopt;
    used.note = "no usage signal: " + connect;
  }
  section.facts = {
      {"allocated_share", "Allocated", ValueKind::kPercent,
       PercentOf(classes.Held().gpu_time.base(), all), "", "", "of provisioned GPU-hours"},
      std::move(used),
      share("idle_share", "Idle, unexplained", CostClass::kWaste),
      {"busy_mean", "Busy while measured (SM active, else the next best signal)",
       ValueKind::kPercent,
       has_usage ? PercentOf(usage.active_ppm_ms, usage.covered_ms * 1'000'000) : std::nullopt, "",
       "", has_usage ? "mean over all samples" : connect},
      {"memory_mean", "GPU memory in use", ValueKind::kCount,
       Mean(usage.memory_mib_ms, usage.memory_ms), "MiB a GPU", "",
       usage.memory_ms ? "mean over all samples" : connect},
      {"power_mean", "Power", ValueKind::kCount, Mean(usage.energy_mj, usage.power_ms), "W a GPU",
       "", usage.power_ms ? "mean over all samples" : connect},
      {"energy", "Energy", ValueKind::kCount,
       usage.energy_mj ? Mean(usage.energy_mj, int128{3'600'000'000}) : std::nullopt, "kWh", "",
       usage.energy_mj ? "of the GPUs, where sampled" : connect},
  };
  PLIMSOLL_TRY(ReportChart chart, ClassChart(ask));
  section.charts = {std::move(chart)};
  PLIMSOLL_TRY(ReportTable days, DayTable(ask));
  section.tables = {std::move(days)};
  return section;
}

}  // namespace plimsoll
