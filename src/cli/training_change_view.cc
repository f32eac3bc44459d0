#include "cli/training_change_view.h"

#include <algorithm>

#include "capacity/sizing/exact_figure.h"
#include "cli/commit_cells.h"
#include "cli/render.h"

namespace plimsoll {
namespace {

constexpr int kMillisPerHour = 3'600'000;
constexpr const char* kMeasureTexts[] = {"mean wait", "p95 wait",         "in time",
                                         "held",      "lost of the held", "interruptions"};

bool IsWait(Measure measure) {
  return measure == Measure::kMeanWait || measure == Measure::kWaitP95;
}

bool IsShare(Measure measure) { return !IsWait(measure) && measure != Measure::kInterruptions; }

// Hours of a wait, else the ratio or number itself.
Cell FigureCell(Measure measure, auto value) {
  return RatioCell(Billionths(IsWait(measure) ? value / kMillisPerHour : value));
}

std::string FigureText(Measure measure, auto value) {
  const std::string sign = value < 0 ? "-" : "";
  const auto size = value < 0 ? -value : value;
  if (IsWait(measure)) {
    const std::optional<Duration> wait = WholeMillis(size);
    return wait ? sign + WaitText(*wait) : "never";
  }
  if (IsShare(measure)) return PercentOf(Billionths(value));
  return DisplayDecimal(FigureCell(measure, value).value_or("0"), 1);
}

Table DifferenceTable(const TrainingChange& change) {
  using enum CellKind;
  Table table;
  table.name = "differences";
  table.columns = {{"target"},
                   {"measure"},
                   {"unit"},
                   {"before", kNumber},
                   {"after", kNumber},
                   {"difference.estimate", kNumber},
                   {"difference.low", kNumber},
                   {"difference.high", kNumber},
                   {"differs", kBoolean},
                   {"replications", kNumber},
                   {"left_out", kNumber}};
  for (const OutcomeDifference& one : change.differences) {
    const PairedDifference& paired = one.paired;
    const bool known = paired.replications > 0;
    const auto cell = [&](auto value) {
      return known ? FigureCell(one.measure, value) : std::nullopt;
    };
    const char* const unit = IsWait(one.measure)    ? "hours"
                             : IsShare(one.measure) ? "share"
                                                    : "count";
    table.rows.push_back(
        {one.target ? Cell(TargetName(*change.scope.targets, *one.target)) : std::nullopt,
         kMeasureNames[static_cast<std::size_t>(one.measure)], unit, cell(paired.before),
         cell(paired.after), cell(paired.difference),
         paired.interval ? cell(paired.interval->low) : std::nullopt,
         paired.interval ? cell(paired.interval->high) : std::nullopt,
         paired.differs() ? "true" : "false", std::to_string(paired.replications),
         std::to_string(paired.left_out)});
  }
  return table;
}

Table DifferenceTableForPeople(const TrainingChange& change) {
  Table table;
  table.name = "differences";
  table.title = "Means of " + ScopeText(change.scope) + "; * is more than chance";
  table.columns = {{"of"}, {"measure"}, {"before"}, {"after"}, {"difference"}, {"interval"}};
  for (const OutcomeDifference& one : change.differences) {
    const PairedDifference& paired = one.paired;
    if (paired.replications == 0 && !one.censored) continue;
    const auto text = [&](auto value) {
      return one.censored ? std::string("-") : FigureText(one.measure, value);
    };
    table.rows.push_back(
        {one.target ? TargetName(*change.scope.targets, *one.target) : "the cluster",
         kMeasureTexts[static_cast<std::size_t>(one.measure)], text(paired.before),
         text(paired.after), text(paired.difference) + (paired.differs() ? " *" : ""),
         paired.interval ? text(paired.interval->low) + " to " + text(paired.interval->high)
                         : "-"});
  }
  return table;
}

}  // namespace

Answer ChangeAnswer(const TrainingChange& change) {
  Answer answer;
  AddScopeFacts(change.scope, answer);
  const auto money = [](const std::optional<Money>& cost) {
    return cost ? Cell(cost->ToString()) : std::nullopt;
  };
  std::optional<Money> difference;
  if (change.cost_before && change.cost_after)
    difference = *change.cost_after - *change.cost_before;
  answer.facts.push_back({"what_if", CellKind::kText, change.what});
  answer.facts.push_back({"currency", CellKind::kText, change.scope.currency});
  answer.facts.push_back({"cost_per_month.before", CellKind::kMoney, money(change.cost_before)});
  answer.facts.push_back({"cost_per_month.after", CellKind::kMoney, money(change.cost_after)});
  answer.facts.push_back({"cost_per_month.difference", CellKind::kMoney, money(difference)});
  answer.lines = {"With " + change.what + ", under the same jobs and the same failures"};
  if (difference) {
    answer.lines.push_back("Cost a month: " + Rounded(*change.cost_before, 2) + " -> " +
                           Rounded(*change.cost_after, 2) + " " + change.scope.currency + " (" +
                           (*difference >= Money() ? "+" : "") + Rounded(*difference, 2) + ")");
  }
  answer.tables.push_back(change.scope.for_people ? DifferenceTableForPeople(change)
                                                  : DifferenceTable(change));
  const bool censored = std::ranges::any_of(
      change.differences, [](const OutcomeDifference& one) { return one.censored; });
  if (censored) {
    answer.notes.push_back(
        "-: no mean or percentile, for some jobs or probes were not seen to start; the share in "
        "time counts them");
  }
  return answer;
}

}  // namespace plimsoll
