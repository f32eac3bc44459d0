#include "cli/training_page.h"

#include <algorithm>
#include <map>

#include "capacity/sizing/exact_figure.h"
#include "capacity/sizing/start_curve.h"
#include "cli/commit_cells.h"
#include "cli/plan_input.h"
#include "cli/render.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kStepsMax = 168;
constexpr std::size_t kHeatRowsMax = 64, kHeatCellsMax = 72;

// A decimal for a script: rounded, without commas.
std::string Plain(const std::string& decimal, int places) {
  std::string text = DisplayDecimal(decimal, places);
  std::erase(text, ',');
  return text;
}

// Percent with one place from a part of a whole; "" of nothing.
std::string PercentCell(int128 part, int128 whole) {
  if (whole == 0) return "";
  return Plain(
      Money::FromNanos(DivideHalfEven(part * 100 * Money::kNanosPerUnit, whole)).ToString(), 1);
}

std::string PercentNumber(std::optional<std::int64_t> billionths) {
  return billionths ? PercentCell(*billionths, Money::kNanosPerUnit) : "";
}

// A cell of the answer, found by its column.
Cell CellOf(const Table& table, const Row& row, const std::string& column) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == column) return row[i];
  }
  return std::nullopt;
}

const Table* TableOf(const Answer& answer, const std::string& name) {
  for (const Table& table : answer.tables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

// The same table for the page, as people read it.
ReportTable PageTable(const Table& table, const std::string& caption) {
  ReportTable page;
  page.key = table.name;
  page.caption = caption;
  for (const TableColumn& column : table.columns) {
    page.columns.push_back({column.name, column.name, ValueKind::kText});
  }
  for (const Row& row : table.rows) {
    page.rows.emplace_back(row.begin(), row.end());
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int places = table.columns[i].places;
      if (row[i] && places >= 0) page.rows.back()[i] = DisplayDecimal(*row[i], places);
    }
  }
  return page;
}

// The 95th percentile in hours, by class; the table of the same key has the rest.
ReportChart WaitChart(const Answer& exact) {
  ReportChart chart;
  chart.key = "classes";
  chart.caption = "95th percentile of the wait, by class";
  chart.unit = "hours";
  chart.series = {{"95th percentile", {}}};
  const Table* const classes = TableOf(exact, "classes");
  if (classes == nullptr) return chart;
  for (const Row& row : classes->rows) {
    const Cell hours = CellOf(*classes, row, "p95_wait_hours.estimate");
    chart.categories.push_back(CellOf(*classes, row, "name").value_or(""));
    chart.series[0].values.push_back(hours ? Plain(*hours, 2) : "");
  }
  return chart;
}

// By class, what its waiting time was for.
ReportChart CauseChart(const Answer& people, const SizingTargets& targets) {
  ReportChart chart;
  chart.key = "causes";
  chart.caption = "What jobs wait for";
  chart.unit = "hours";
  std::map<std::string, std::size_t> series;
  const Table* const causes = TableOf(people, "causes");
  if (causes == nullptr) return chart;
  for (const JobClass& one : targets.classes) chart.categories.push_back(one.name);
  for (const Row& row : causes->rows) {
    const auto at = std::find(chart.categories.begin(), chart.categories.end(), row[0]);
    if (at == chart.categories.end()) continue;
    const auto [found, is_new] = series.emplace(*row[1], chart.series.size());
    if (is_new) {
      chart.series.push_back({*row[1], std::vector<std::string>(chart.categories.size(), "0")});
    }
    chart.series[found->second].values[static_cast<std::size_t>(at - chart.categories.begin())] =
        Plain(*row[2], 1);
  }
  return chart;
}

ReportChart CurveChart(const TrainingRuns& runs, std::size_t gang) {
  ReportChart chart;
  chart.key = "curve-" + std::to_string(gang + 1);
  chart.caption = "P(start within): " + runs.scope.targets->gangs[gang].name;
  chart.unit = "%";
  chart.kind = ChartKind::kLines;
  chart.series = {{"estimate", {}}, {"low", {}}, {"high", {}}};
  for (const CurvePoint& point : StartCurve(*runs.scope.targets, runs.outcomes, gang)) {
    const bool at_once = point.within == Duration();
    chart.categories.push_back(at_once ? "at once" : WaitText(point.within));
    chart.series[0].values.push_back(PercentNumber(Billionths(point.share.estimate)));
    chart.series[1].values.push_back(PercentNumber(Billionths(point.share.interval.low)));
    chart.series[2].values.push_back(PercentNumber(Billionths(point.share.interval.high)));
  }
  return chart;
}

// GPUs in a step, of GPU time.
std::string GpusCell(GpuMicros time, Duration step) {
  return UnitsCell(
      static_cast<std::int64_t>(DivideHalfEven(int128{time.base()} * 3'600, step.base())));
}

ReportChart TimelineChart(const TrainingPicture& picture) {
  ReportChart chart;
  chart.key = "timeline";
  chart.caption = "GPUs over time, first replication";
  chart.unit = "GPUs";
  const std::vector<TimelineStep>& steps = picture.run->timeline;
  for (const std::string& queue : picture.queues) {
    chart.series.push_back({queue.empty() ? "jobs" : queue, {}});
  }
  chart.series.push_back({"unused", {}});
  chart.series.push_back({"unavailable", {}});  // down, or kept for failures
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Instant until = i + 1 < steps.size() ? steps[i + 1].at : picture.run->totals.window.until;
    const Duration step = Between(steps[i].at, until);
    if (step <= Duration()) continue;
    chart.categories.push_back(ToString(steps[i].at));
    const std::size_t queues = picture.queues.size();
    for (std::size_t q = 0; q < queues; ++q) {
      chart.series[q].values.push_back(GpusCell(steps[i].used_by_queue.at(q), step));
    }
    chart.series[queues].values.push_back(GpusCell(steps[i].idle, step));
    chart.series[queues + 1].values.push_back(GpusCell(steps[i].down + steps[i].spare, step));
  }
  return chart;
}

// A row a domain of the deepest level, a cell a node: how much of its GPU time jobs held.
ReportChart HeatChart(const TrainingPicture& picture) {
  ReportChart chart;
  chart.key = "domains";
  chart.caption = "GPU time held by node and domain, first replication";
  chart.unit = "%";
  chart.kind = ChartKind::kHeat;
  const Cluster& cluster = *picture.cluster;
  std::map<DomainId, std::size_t> rows;
  std::size_t widest = 0;
  const Duration window = picture.run->totals.window.length();
  for (NodeId id = 0; id < cluster.size() && id < picture.run->used_by_node.size(); ++id) {
    const NodeSpec& node = cluster.node(id);
    if (node.gpus == 0) continue;
    DomainId domain = kNoDomain;
    for (const DomainId one : node.domains) domain = one == kNoDomain ? domain : one;
    if (!rows.contains(domain) && rows.size() == kHeatRowsMax) continue;
    const auto [found, is_new] = rows.emplace(domain, rows.size());
    if (is_new) {
      chart.series.push_back({domain == kNoDomain ? "nodes" : cluster.tree().at(domain).name, {}});
    }
    std::vector<std::string>& cells = chart.series[found->second].values;
    if (cells.size() == kHeatCellsMax) continue;
    cells.push_back(PercentCell(picture.run->used_by_node[id].base(),
                                int128{node.gpus} * kMilliPerGpu * window.base()));
    widest = std::max(widest, cells.size());
  }
  for (ReportChart::Series& row : chart.series) row.values.resize(widest);
  for (std::size_t i = 1; i <= widest; ++i) chart.categories.push_back(std::to_string(i));
  return chart;
}

// The heat map in numbers, a domain a row.
ReportTable HeatTable(const ReportChart& heat) {
  ReportTable table;
  table.key = heat.key;
  table.caption = heat.caption;
  table.columns = {{"domain", "domain", ValueKind::kText},
                   {"nodes", "nodes", ValueKind::kCount},
                   {"least", "least", ValueKind::kPercent},
                   {"most", "most", ValueKind::kPercent}};
  for (const ReportChart::Series& row : heat.series) {
    std::vector<Money> held;
    for (const std::string& cell : row.values) {
      if (const Result<Money> percent = Money::Parse(cell)) held.push_back(*percent);
    }
    if (held.empty()) continue;
    const auto [least, most] = std::minmax_element(held.begin(), held.end());
    table.rows.push_back({row.name, std::to_string(held.size()), Plain(least->ToString(), 1),
                          Plain(most->ToString(), 1)});
  }
  return table;
}

ReportFact PageFact(const std::string& key, const std::string& label, ValueKind kind,
                    const Value& value, const std::string& unit) {
  return {key, label, kind, value, unit, "", ""};
}

ReportSection Summary(const TrainingRuns& runs, const Answer& people) {
  ReportSection section{"summary", "Summary", people.lines, {}, {}, {}, {}};
  const TrainingScope& scope = runs.scope;
  section.facts = {
      PageFact("gpus", "GPUs", ValueKind::kCount, std::to_string(runs.gpus), ""),
      PageFact("cost_per_month", "Cost a month", ValueKind::kMoney,
               runs.cost_per_month ? Value(runs.cost_per_month->ToString()) : std::nullopt,
               scope.currency),
      PageFact("replications", "Replications", ValueKind::kCount,
               std::to_string(scope.replications), "")};
  if (!runs.cost_per_month) section.facts[1].note = "give prices in the cluster file";
  for (std::size_t i = 0; i < scope.targets->gangs.size(); ++i) {
    const CurvePoint last = StartCurve(*runs.scope.targets, runs.outcomes, i).back();
    ReportFact fact =
        PageFact("p_start_" + std::to_string(i + 1), scope.targets->gangs[i].name,
                 ValueKind::kPercent, PercentNumber(Billionths(last.share.estimate)), "%");
    fact.note = RangeText(last.share.interval) + ", " + ScopeText(scope);
    section.facts.push_back(fact);
  }
  return section;
}

}  // namespace

Duration TimelineStepOf(const Window& window) {
  constexpr Duration kSteps[] = {Minutes(1), Minutes(5), Minutes(15), Hours(1),
                                 Hours(4),   Days(1),    Days(7)};
  for (const Duration step : kSteps) {
    if (window.length().base() <= step.base() * kStepsMax) return step;
  }
  return Days(28);
}

ReportDocument TrainingPage(const TrainingRuns& runs, const TrainingPicture& picture) {
  TrainingRuns told = runs;
  told.scope.for_people = false;
  const Answer exact = RunsAnswer(told);
  told.scope.for_people = true;
  const Answer people = RunsAnswer(told);
  ReportDocument page;
  page.title = "Training capacity";
  page.subtitle = ToString(picture.run->totals.window);
  page.header = {PageFact("seed", "Seed", ValueKind::kText, std::to_string(runs.scope.seed), ""),
                 PageFact("question", "Question", ValueKind::kText, runs.scope.question, "")};
  page.summary = Summary(runs, people);
  ReportSection waits{"waits", "Waits", {}, {}, {}, {}, {}};
  ReportSection gangs{"gangs", "Gangs", {}, {}, {}, {}, {}};
  ReportSection fleet{"fleet", "The fleet over time", {}, {}, {}, {}, {}};
  waits.charts = {WaitChart(exact), CauseChart(people, *runs.scope.targets)};
  std::erase_if(waits.charts, [](const ReportChart& chart) { return chart.series.empty(); });
  for (const Table& table : people.tables) {
    if (table.name == "classes") waits.tables.push_back(PageTable(table, "Waits by class"));
    if (table.name == "gangs") gangs.tables.push_back(PageTable(table, table.title));
    if (table.name == "formulas") gangs.tables.push_back(PageTable(table, table.title));
  }
  gangs.sentences = people.notes;
  for (std::size_t i = 0; i < runs.scope.targets->gangs.size(); ++i) {
    gangs.charts.push_back(CurveChart(runs, i));
  }
  fleet.charts = {TimelineChart(picture), HeatChart(picture)};
  fleet.tables = {HeatTable(fleet.charts.back())};
  page.dimensions = {waits, fleet};
  if (!gangs.charts.empty() || !gangs.tables.empty()) {
    page.dimensions.insert(page.dimensions.begin() + 1, gangs);
  }
  return page;
}

}  // namespace plimsoll
