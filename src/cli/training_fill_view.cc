#include "cli/training_fill_view.h"

#include <algorithm>
#include <string>

#include "cli/plan_input.h"
#include "cli/render.h"
#include "cli/text.h"

namespace plimsoll {
namespace {

using Spread = FillOutcome::Spread;

Cell Count(std::int64_t count) { return std::to_string(count); }

Cell DeviationCell(const Spread& spread) {
  return spread.deviation ? Cell(BillionthsText(*spread.deviation)) : std::nullopt;
}

std::size_t Last(const FillOutcome& outcome) { return outcome.runs.front().points.size() - 1; }

Spread AtTheEnd(const FillOutcome& outcome, FillFigure figure) {
  return outcome.SpreadOf(Last(outcome), figure);
}

const TrainingFillView::Of& BestOf(const TrainingFillView& view) {
  return *std::ranges::max_element(view.outcomes, {}, [](const TrainingFillView::Of& of) {
    return AtTheEnd(of.outcome, FillFigure::kAllocated).mean;
  });
}

std::string Percent(std::int64_t ppb, int places) {
  return DisplayDecimal(BillionthsText(ppb), places) + " %";
}

// GPUs with three places.
std::string GpusText(std::int64_t milli) {
  const std::string nanos = BillionthsText(milli * 1'000'000);
  return nanos.substr(0, nanos.size() - 6);
}

// Cells of the three figures of one point: mean and deviation of each.
void AddFigures(const FillOutcome& outcome, std::size_t at, Row& row) {
  const Spread allocated = outcome.SpreadOf(at, FillFigure::kAllocated);
  row.push_back(BillionthsText(allocated.mean));
  row.push_back(DeviationCell(allocated));
  for (const FillFigure figure : {FillFigure::kFragmented, FillFigure::kRatio}) {
    const Spread spread = outcome.SpreadOf(at, figure);
    row.push_back(BillionthsText(spread.mean));
    row.push_back(DeviationCell(spread));
  }
}

std::vector<TableColumn> FigureColumns() {
  return {{"allocated_percent.mean", CellKind::kNumber, 2},
          {"allocated_percent.sd", CellKind::kNumber, 2},
          {"fragmented_percent", CellKind::kNumber, 2},
          {"fragmented_percent_sd", CellKind::kNumber, 2},
          {"fragmentation_ratio_percent", CellKind::kNumber, 2},
          {"fragmentation_ratio_percent_sd", CellKind::kNumber, 2}};
}

// For people the deviations of fragmentation are left to JSON: the rest fits 80 columns.
void Shorten(Table& table) {
  const auto drop = [&](std::string_view name, std::string_view shown) {
    const auto found = std::ranges::find(table.columns, name, &TableColumn::name);
    if (shown.empty()) {
      const auto at = found - table.columns.begin();
      for (Row& row : table.rows) row.erase(row.begin() + at);
      table.columns.erase(found);
    } else {
      found->name = shown;
    }
  };
  drop("fragmented_percent_sd", "");
  drop("fragmentation_ratio_percent_sd", "");
  drop("allocated_percent.mean", "allocated_%");
  drop("allocated_percent.sd", "+-");
  drop("fragmented_percent", "fragmented_%");
  drop("fragmentation_ratio_percent", "%_of_idle");
}

Table PoliciesTable(const TrainingFillView& view) {
  Table table{"policies", "At the end", {{"policy"}}, {}, {}};
  for (TableColumn& column : FigureColumns()) table.columns.push_back(std::move(column));
  std::vector<const TrainingFillView::Of*> sorted;
  for (const TrainingFillView::Of& of : view.outcomes) sorted.push_back(&of);
  std::ranges::stable_sort(sorted, std::greater(), [](const TrainingFillView::Of* of) {
    return AtTheEnd(of->outcome, FillFigure::kAllocated).mean;
  });
  for (const TrainingFillView::Of* of : sorted) {
    Row row{std::string(NameOf(of->policy))};
    AddFigures(of->outcome, Last(of->outcome), row);
    table.rows.push_back(std::move(row));
  }
  if (view.for_people) Shorten(table);
  return table;
}

Table PointsTable(const TrainingFillView& view) {
  Table table{"points",
              "While it fills: pods that have arrived ask for so much of all GPUs",
              {{"policy"}, {"arrived_percent", CellKind::kNumber}},
              {},
              {}};
  for (TableColumn& column : FigureColumns()) table.columns.push_back(std::move(column));
  for (const TrainingFillView::Of& of : view.outcomes) {
    const std::vector<FillPoint>& points = of.outcome.runs.front().points;
    for (std::size_t at = 0; at < points.size(); ++at) {
      Row row{std::string(NameOf(of.policy)), Count(points[at].arrived_percent)};
      AddFigures(of.outcome, at, row);
      table.rows.push_back(std::move(row));
    }
  }
  if (view.for_people) {
    Shorten(table);
    table.columns.erase(table.columns.begin());
    for (Row& row : table.rows) row.erase(row.begin());
    table.columns.front().name = "arrived_%";
  }
  return table;
}

// Policies side by side: a row for each point.
Table CompareTable(const TrainingFillView& view, FillFigure figure, std::string title) {
  Table table{"", std::move(title), {{"arrived_%", CellKind::kNumber}}, {}, {}};
  const std::vector<FillPoint>& points = view.outcomes.front().outcome.runs.front().points;
  for (const FillPoint& point : points) table.rows.push_back({Count(point.arrived_percent)});
  for (const TrainingFillView::Of& of : view.outcomes) {
    table.columns.push_back({std::string(NameOf(of.policy)), CellKind::kNumber, 2});
    for (std::size_t at = 0; at < points.size(); ++at) {
      table.rows[at].push_back(BillionthsText(of.outcome.SpreadOf(at, figure).mean));
    }
  }
  return table;
}

std::string WordsOf(IdleClass idle) {
  switch (idle) {
    case IdleClass::kLacksBoth:
      return "too few GPUs, no CPU";
    case IdleClass::kLacksGpu:
      return "too few or too small GPUs";
    case IdleClass::kUsable:
      return "usable";
    case IdleClass::kLacksCpu:
      return "stranded: no CPU beside it";
    case IdleClass::kCpuPodFits:
      return "asks for no GPU, fits";
    case IdleClass::kCpuPodLacks:
      return "asks for no GPU, no CPU";
    case IdleClass::kWrongFlavor:
      return "another model";
  }
  return "";
}

constexpr IdleClass kIdleOrder[] = {
    IdleClass::kUsable,      IdleClass::kLacksGpu,   IdleClass::kLacksCpu,   IdleClass::kLacksBoth,
    IdleClass::kWrongFlavor, IdleClass::kCpuPodFits, IdleClass::kCpuPodLacks};

Table IdleTable(const TrainingFillView& view) {
  Table table{
      "idle",
      "",
      {{"policy"}, {"class"}, {"percent_of_gpus", CellKind::kNumber}, {"gpus", CellKind::kNumber}},
      {},
      {}};
  for (const TrainingFillView::Of& of : view.outcomes) {
    for (const IdleClass idle : kIdleOrder) {
      const std::int64_t percent = of.outcome.IdleIn(idle);
      const int128 milli =
          DivideHalfEven(int128{percent} * of.outcome.gpu_milli, int128{100} * 1'000'000'000);
      table.rows.push_back({std::string(NameOf(of.policy)), std::string(NameOf(idle)),
                            BillionthsText(percent), GpusText(static_cast<std::int64_t>(milli))});
    }
  }
  return table;
}

Table IdleTableForPeople(const TrainingFillView& view) {
  Table table{
      "", "Idle at the end, % of all GPUs: how a typical pod finds them", {{"class"}}, {}, {}};
  for (const IdleClass idle : kIdleOrder) table.rows.push_back({WordsOf(idle)});
  for (const TrainingFillView::Of& of : view.outcomes) {
    table.columns.push_back({std::string(NameOf(of.policy)), CellKind::kNumber, 2});
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      table.rows[i].push_back(BillionthsText(of.outcome.IdleIn(kIdleOrder[i])));
    }
  }
  return table;
}

Table RunsTable(const TrainingFillView& view) {
  Table table{"runs",
              "",
              {{"policy"},
               {"seed", CellKind::kNumber},
               {"pods_arrived", CellKind::kNumber},
               {"pods_placed", CellKind::kNumber},
               {"gpus_asked", CellKind::kNumber},
               {"allocated_percent", CellKind::kNumber},
               {"fragmented_percent", CellKind::kNumber},
               {"fragmentation_ratio_percent", CellKind::kNumber}},
              {},
              {}};
  for (const TrainingFillView::Of& of : view.outcomes) {
    for (const FillRun& run : of.outcome.runs) {
      Row row{std::string(NameOf(of.policy)), std::to_string(run.seed), Count(run.pods_arrived),
              Count(run.pods_placed), GpusText(run.gpu_milli_asked)};
      for (const FillFigure figure :
           {FillFigure::kAllocated, FillFigure::kFragmented, FillFigure::kRatio}) {
        row.push_back(BillionthsText(of.outcome.FigureOf(run.points.back(), figure)));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

void AddTables(const TrainingFillView& view, Answer& answer) {
  const bool several = view.outcomes.size() > 1;
  if (several) answer.tables.push_back(PoliciesTable(view));
  if (view.for_people && several) {
    answer.tables.push_back(
        CompareTable(view, FillFigure::kAllocated, "Allocated, % of all GPUs, while it fills"));
    answer.tables.push_back(
        CompareTable(view, FillFigure::kRatio, "Fragmented, % of the idle ones"));
  } else {
    answer.tables.push_back(PointsTable(view));
  }
  if (view.for_people) {
    answer.tables.push_back(IdleTableForPeople(view));
  } else {
    answer.tables.push_back(IdleTable(view));
    answer.tables.push_back(RunsTable(view));
  }
}

void AddFacts(const TrainingFillView& view, const TrainingFillView::Of& best, Answer& answer) {
  const FillOutcome& outcome = best.outcome;
  const Spread allocated = AtTheEnd(outcome, FillFigure::kAllocated);
  const Spread fragmented = AtTheEnd(outcome, FillFigure::kFragmented);
  const Spread ratio = AtTheEnd(outcome, FillFigure::kRatio);
  const auto number = [&](const char* name, Cell value) {
    answer.facts.push_back({name, CellKind::kNumber, std::move(value)});
  };
  answer.facts.push_back({"policy", CellKind::kText, std::string(NameOf(best.policy))});
  number("nodes", Count(view.nodes));
  number("gpus", Count(outcome.gpu_milli / kMilliPerGpu));
  number("pods", Count(view.pods));
  number("pod_shapes", Count(outcome.typical.shapes_seen));
  number("pod_shapes_typical", Count(static_cast<std::int64_t>(outcome.typical.pods.size())));
  number("fill_percent", Count(view.options.fill_percent));
  number("seeds", Count(view.options.runs));
  number("seed", std::to_string(view.options.seed));
  number("allocated_percent.mean", BillionthsText(allocated.mean));
  number("allocated_percent.sd", DeviationCell(allocated));
  number("fragmented_percent", BillionthsText(fragmented.mean));
  number("fragmented_percent_sd", DeviationCell(fragmented));
  number("fragmentation_ratio_percent", BillionthsText(ratio.mean));
  number("fragmentation_ratio_percent_sd", DeviationCell(ratio));
}

}  // namespace

Answer TrainingFillAnswer(const TrainingFillView& view) {
  const TrainingFillView::Of& best = BestOf(view);
  const FillOutcome& outcome = best.outcome;
  Answer answer;
  AddFacts(view, best, answer);
  const Spread allocated = AtTheEnd(outcome, FillFigure::kAllocated);
  const std::int64_t gpus = outcome.gpu_milli / kMilliPerGpu;
  const int128 idle = DivideHalfEven((int128{100'000'000'000} - allocated.mean) * gpus,
                                     int128{100} * 1'000'000'000);
  answer.lines = {std::string(NameOf(best.policy)) + " allocates " + Percent(allocated.mean, 2) +
                  " of " + GroupThousands(std::to_string(gpus)) + " GPUs when pods that ask for " +
                  std::to_string(view.options.fill_percent) + " % of them have arrived; " +
                  GroupThousands(std::to_string(static_cast<std::int64_t>(idle))) + " stay idle (" +
                  std::to_string(view.options.runs) +
                  (view.options.runs == 1 ? " run)" : " runs)")};
  AddTables(view, answer);
  answer.notes = {
      "Fragmented: idle, and of no use to the next typical pod as it lies (" +
          std::to_string(outcome.typical.pods.size()) + " of " +
          std::to_string(outcome.typical.shapes_seen) + " shapes stand for " +
          std::to_string(view.options.typical_percent) +
          " % of the pods; one without GPUs can use none)",
      "Pods arrive in random order, are placed at once or lost, and none ends: this compares ways "
      "to place pods; it is no forecast of waits"};
  return answer;
}

}  // namespace plimsoll
