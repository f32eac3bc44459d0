#include "cli/training_grid_view.h"

#include <algorithm>

#include "capacity/sizing/exact_figure.h"
#include "cli/commit_cells.h"
#include "cli/plan_input.h"

namespace plimsoll {
namespace {

constexpr std::size_t kFleetsShown = 20;

const char* YesNo(bool yes) { return yes ? "true" : "false"; }

Cell MoneyCell(const std::optional<Money>& money) {
  return money ? Cell(money->ToString()) : std::nullopt;
}

// "owned 4, spot 2"; with '=' and line breaks for programs.
std::string FleetText(const TrainingGrid& view, std::size_t point, bool for_people) {
  const std::vector<std::int64_t> units = view.grid->Units(point);
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (i > 0) text += for_people ? ", " : "\n";
    text += view.grid->axes()[i].name + (for_people ? " " : "=") + std::to_string(units[i]);
  }
  return text;
}

const PointAnswer* PointOf(const TrainingGrid& view, std::optional<std::size_t> point) {
  return point ? &view.answer->points[*point] : nullptr;
}

Table BestTable(const TrainingGrid& view, const char* name, std::optional<std::size_t> point) {
  using enum CellKind;
  Table table;
  table.name = name;
  table.columns = {{"group"},          {"flavor"},        {"purchase"},
                   {"units", kNumber}, {"gpus", kNumber}, {"price", kMoney}};
  if (!point) return table;
  const std::vector<std::int64_t> units = view.grid->Units(*point);
  for (std::size_t i = 0; i < units.size(); ++i) {
    const FleetAxis& axis = view.grid->axes()[i];
    table.rows.push_back({axis.name, axis.flavor,
                          kPurchaseNames[static_cast<std::size_t>(axis.purchase)],
                          std::to_string(units[i]), std::to_string(units[i] * axis.gpus_per_unit),
                          MoneyCell(axis.price)});
  }
  return table;
}

Table FleetTable(const TrainingGrid& view) {
  using enum CellKind;
  Table table;
  table.name = "fleets";
  table.columns = {{"fleet", kNumber},         {"units", kList},         {"gpus", kNumber},
                   {"cost_per_month", kMoney}, {"utilization", kNumber}, {"lost_share", kNumber},
                   {"meets", kBoolean},        {"sure", kBoolean}};
  for (const PointAnswer& point : view.answer->points) {
    table.rows.push_back({std::to_string(point.point + 1), FleetText(view, point.point, false),
                          std::to_string(point.gpus), MoneyCell(point.cost_per_month),
                          RatioCell(Billionths(point.utilization)),
                          RatioCell(Billionths(point.lost)), YesNo(point.met), YesNo(point.sure)});
  }
  return table;
}

// The asked target with the least of what it asks for.
std::string WeakestText(const TrainingGrid& view, const PointAnswer& point) {
  const TargetResult* weakest = nullptr;
  const auto margin = [](const TargetResult& result) {
    return *Billionths(result.share.estimate) - result.target;
  };
  for (const TargetResult& result : point.targets) {
    if (!result.asked() || result.share.count == 0) continue;
    if (weakest == nullptr || margin(result) < margin(*weakest)) weakest = &result;
  }
  if (weakest == nullptr) return "-";
  return TargetName(*view.scope.targets, weakest->id) + ": " +
         PercentOf(Billionths(weakest->share.estimate)) + " of " + PercentText(weakest->target);
}

std::string VerdictText(const PointAnswer& point) {
  if (point.met) return point.sure ? "yes" : "perhaps";
  return point.fails ? "no" : "perhaps not";
}

// Around the best fleet in the order of cost, or the dearest if none meets.
std::vector<const PointAnswer*> ShownFleets(const TrainingGrid& view) {
  std::vector<const PointAnswer*> fleets;
  for (const PointAnswer& point : view.answer->points) fleets.push_back(&point);
  std::stable_sort(fleets.begin(), fleets.end(), [&](const PointAnswer* a, const PointAnswer* b) {
    if (!view.answer->by_cost) return a->gpus < b->gpus;
    return *a->cost_per_month < *b->cost_per_month;
  });
  if (fleets.size() <= kFleetsShown) return fleets;
  std::size_t at = fleets.size() - 1;
  for (std::size_t i = 0; i < fleets.size(); ++i) {
    if (view.answer->best && fleets[i]->point == *view.answer->best) at = i;
  }
  const std::size_t begin =
      std::min(at > kFleetsShown / 2 ? at - kFleetsShown / 2 : 0, fleets.size() - kFleetsShown);
  const auto first = fleets.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + kFleetsShown};
}

Table FleetTableForPeople(const TrainingGrid& view) {
  using enum CellKind;
  Table table;
  table.name = "fleets";
  table.title = "Fleets by cost a month, " + view.scope.currency;
  table.columns = {{"fleet"},          {"gpus", kNumber}, {"cost", kMoney, 0}, {"held", kNumber, 2},
                   {"weakest target"}, {"meets"}};
  for (const PointAnswer* const point : ShownFleets(view)) {
    const bool is_best = view.answer->best == point->point;
    table.rows.push_back({FleetText(view, point->point, true), std::to_string(point->gpus),
                          MoneyCell(point->cost_per_month),
                          RatioCell(Billionths(point->utilization)), WeakestText(view, *point),
                          VerdictText(*point) + (is_best ? " <" : "")});
  }
  return table;
}

Table TargetTable(const TrainingGrid& view) {
  using enum CellKind;
  Table table;
  table.name = "targets";
  table.columns = {{"fleet", kNumber},
                   {"target"},
                   {"kind"},
                   {"asked", kNumber},
                   {"share.estimate", kNumber},
                   {"share.low", kNumber},
                   {"share.high", kNumber},
                   {"trials", kNumber},
                   {"trials_effective", kNumber},
                   {"wait_hours.estimate", kDecimal},
                   {"wait_hours.low", kDecimal},
                   {"wait_hours.high", kDecimal},
                   {"meets", kBoolean},
                   {"sure", kBoolean}};
  for (const PointAnswer& point : view.answer->points) {
    for (const TargetResult& result : point.targets) {
      Row row = {std::to_string(point.point + 1), TargetName(*view.scope.targets, result.id),
                 TargetKindName(result.id.kind),
                 result.asked() ? RatioCell(result.target) : std::nullopt};
      for (const Cell& cell : ShareCells(result.share)) row.push_back(cell);
      row.push_back(std::to_string(result.share.count));
      row.push_back(RatioCell(Billionths(result.share.effective)));
      for (const Cell& cell : WaitCells(result.wait, false)) row.push_back(cell);
      row.push_back(result.asked() ? Cell(YesNo(result.met())) : std::nullopt);
      row.push_back(result.asked() ? Cell(YesNo(result.is_sure())) : std::nullopt);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table TargetTableForPeople(const TrainingGrid& view, const PointAnswer& point) {
  Table table;
  table.name = "targets";
  table.title = "Targets with " + FleetText(view, point.point, true);
  table.columns = {{"target"}, {"asked"}, {"in time"}, {"interval"}, {"wait at that share"}};
  for (const TargetResult& result : point.targets) {
    const bool known = result.share.count > 0;
    const bool has_wait = result.wait.jobs > 0;
    table.rows.push_back({TargetName(*view.scope.targets, result.id),
                          result.asked() ? PercentText(result.target) : "-",
                          known ? PercentOf(Billionths(result.share.estimate)) : "-",
                          known ? RangeText(result.share.interval) : "-",
                          has_wait ? WaitCell(result.wait.estimate, true) : "-"});
  }
  return table;
}

Table BoundTable(const TrainingGrid& view) {
  Table table;
  table.name = "bounds";
  table.title = "Lower bounds";
  table.columns = {{"bound"}, {"flavors"}, {"level"}, {"gpus", CellKind::kNumber}, {"about"}};
  const auto text = [](const std::string& value) {
    return value.empty() ? std::nullopt : Cell(value);
  };
  for (const BoundRow& bound : view.bounds) {
    table.rows.push_back({bound.name, text(bound.flavors), text(bound.level),
                          std::to_string(bound.gpus), text(bound.about)});
  }
  return table;
}

Table NonMonotoneTable(const TrainingGrid& view) {
  using enum CellKind;
  const bool people = view.scope.for_people;
  Table table;
  table.name = "non_monotone";
  table.title = "More GPUs, and yet later";
  table.columns = {{"smaller", people ? kText : kNumber},
                   {"greater", people ? kText : kNumber},
                   {"target"},
                   {"difference.estimate", kNumber, 3},
                   {"difference.low", kNumber, 3},
                   {"difference.high", kNumber, 3},
                   {"turns", kBoolean}};
  for (const NonMonotone& one : view.answer->non_monotone) {
    const auto fleet = [&](std::size_t point) {
      return people ? FleetText(view, point, true) : std::to_string(point + 1);
    };
    const auto& interval = one.share.interval;
    table.rows.push_back(
        {fleet(one.smaller), fleet(one.greater), TargetName(*view.scope.targets, one.target),
         RatioCell(Billionths(one.share.difference)),
         interval ? RatioCell(Billionths(interval->low)) : std::nullopt,
         interval ? RatioCell(Billionths(interval->high)) : std::nullopt, YesNo(one.turns)});
  }
  return table;
}

std::string CostText(const TrainingGrid& view, const PointAnswer& point) {
  std::string text =
      FleetText(view, point.point, true) + " (" + std::to_string(point.gpus) + " GPUs)";
  if (point.cost_per_month) {
    text += " for " + Rounded(*point.cost_per_month, 2) + " " + view.scope.currency + " a month";
  }
  return text;
}

void AddHeadline(const TrainingGrid& view, Answer& answer) {
  const GridAnswer& found = *view.answer;
  const std::string of =
      std::to_string(found.points.size()) + (found.points.size() == 1 ? " fleet" : " fleets");
  const PointAnswer* const best = PointOf(view, found.best);
  const PointAnswer* const sure = PointOf(view, found.best_sure);
  if (best == nullptr) {
    answer.lines = {"None of the " + of + " meets all targets: widen --grid"};
  } else {
    answer.lines = {"Least that meets all targets: " + CostText(view, *best)};
    if (sure == nullptr) {
      answer.lines.push_back("None of the " + of + " meets them for sure: more --replications");
    } else if (sure != best) {
      answer.lines.push_back("Least that meets them for sure: " + CostText(view, *sure));
    } else {
      answer.lines.push_back("It meets them for sure: every interval is within its target");
    }
  }
  answer.lines.push_back(of + ", " + ScopeText(view.scope) + ", the same jobs for all fleets");
}

void AddNotes(const TrainingGrid& view, Answer& answer) {
  const GridAnswer& found = *view.answer;
  if (!found.by_cost) {
    answer.notes.push_back("some groups have no price, so that fleets are compared by their GPUs");
  }
  if (found.best && !found.holds_above) {
    answer.notes.push_back(
        "a fleet with more of everything misses a target: do not take the next larger one unseen");
  }
  if (view.scope.for_people && found.points.size() > kFleetsShown) {
    answer.notes.push_back(std::to_string(kFleetsShown) + " of " +
                           std::to_string(found.points.size()) +
                           " fleets are shown; --format json has all");
  }
}

void AddBestFacts(const TrainingGrid& view, Answer& answer) {
  answer.facts.push_back(
      {"fleets_compared", CellKind::kNumber, std::to_string(view.answer->points.size())});
  answer.facts.push_back({"currency", CellKind::kText, view.scope.currency});
  for (const bool sure : {false, true}) {
    const std::string prefix = sure ? "least_sure." : "least.";
    const PointAnswer* const point =
        PointOf(view, sure ? view.answer->best_sure : view.answer->best);
    answer.facts.push_back({prefix + "fleet", CellKind::kNumber,
                            point ? Cell(std::to_string(point->point + 1)) : std::nullopt});
    answer.facts.push_back({prefix + "gpus", CellKind::kNumber,
                            point ? Cell(std::to_string(point->gpus)) : std::nullopt});
    answer.facts.push_back({prefix + "cost_per_month", CellKind::kMoney,
                            point ? MoneyCell(point->cost_per_month) : std::nullopt});
  }
  answer.facts.push_back({"holds_above", CellKind::kBoolean, YesNo(view.answer->holds_above)});
}

}  // namespace

Answer GridAnswerOf(const TrainingGrid& view) {
  Answer answer;
  AddScopeFacts(view.scope, answer);
  AddBestFacts(view, answer);
  AddHeadline(view, answer);
  if (!view.scope.for_people) {
    answer.tables = {BestTable(view, "best", view.answer->best),
                     BestTable(view, "best_sure", view.answer->best_sure), FleetTable(view),
                     TargetTable(view)};
  } else {
    answer.tables = {FleetTableForPeople(view)};
    if (const PointAnswer* const best = PointOf(view, view.answer->best)) {
      answer.tables.push_back(TargetTableForPeople(view, *best));
    }
  }
  for (Table table :
       {BoundTable(view), FormulaTable(view.scope, view.formulas), NonMonotoneTable(view)}) {
    if (view.scope.for_people && table.rows.empty()) continue;
    answer.tables.push_back(std::move(table));
  }
  AddNotes(view, answer);
  return answer;
}

}  // namespace plimsoll
