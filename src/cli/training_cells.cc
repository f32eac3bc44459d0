#include "cli/training_cells.h"

#include "capacity/sizing/exact_figure.h"
#include "cli/commit_cells.h"
#include "cli/plan_input.h"
#include "cli/render.h"
#include "config/duration.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kHundred = 100;

// Billionths as percent with one place, without the sign.
std::string PercentNumber(std::int64_t billionths) {
  return DisplayDecimal(Money::FromNanos(int128{billionths} * kHundred).ToString(), 1);
}

}  // namespace

std::string TargetName(const SizingTargets& targets, TargetId id) {
  switch (id.kind) {
    case TargetKind::kClass:
      return targets.classes.at(id.index).name;
    case TargetKind::kGang:
      return targets.gangs.at(id.index).name;
    case TargetKind::kDeadlines:
      break;
  }
  return "deadlines";
}

const char* TargetKindName(TargetKind kind) {
  switch (kind) {
    case TargetKind::kClass:
      return "class";
    case TargetKind::kGang:
      return "gang";
    case TargetKind::kDeadlines:
      break;
  }
  return "deadlines";
}

Cell RatioCell(std::optional<std::int64_t> billionths) { return ShareCell(billionths); }

std::string WaitText(Duration wait) {
  if (wait == Duration()) return "0";
  if (wait < Seconds(1)) return std::to_string(wait.base()) + "ms";
  // To the second below an hour, to the minute below a day, else to the hour.
  const Duration step = wait < Hours(1) ? Seconds(1) : wait < Days(1) ? Minutes(1) : Hours(1);
  const std::int64_t steps = (wait.base() + step.base() / 2) / step.base();
  return FormatDuration(Millis(steps * step.base()));
}

Cell WaitCell(std::optional<Duration> wait, bool for_people) {
  if (!for_people) return wait ? Cell(HoursText(*wait)) : std::nullopt;
  return wait ? WaitText(*wait) : "never";
}

std::string PercentOf(std::optional<std::int64_t> billionths) {
  return billionths ? PercentNumber(*billionths) + " %" : "-";
}

std::string RangeText(const Interval& interval) {
  return PercentNumber(*Billionths(interval.low)) + "-" +
         PercentNumber(*Billionths(interval.high)) + " %";
}

std::vector<Cell> ShareCells(const ShareEstimate& share) {
  if (share.count == 0) return {std::nullopt, std::nullopt, std::nullopt};
  return {RatioCell(Billionths(share.estimate)), RatioCell(Billionths(share.interval.low)),
          RatioCell(Billionths(share.interval.high))};
}

std::vector<Cell> WaitCells(const WaitQuantile& wait, bool for_people) {
  if (wait.jobs == 0) return {std::nullopt, std::nullopt, std::nullopt};
  const auto bound = [&](std::optional<Duration> at) {
    return at ? WaitCell(at, for_people) : std::nullopt;
  };
  return {WaitCell(wait.estimate, for_people), bound(wait.low), bound(wait.high)};
}

void AddScopeFacts(const TrainingScope& scope, Answer& answer) {
  answer.facts.push_back({"replications", CellKind::kNumber, std::to_string(scope.replications)});
  answer.facts.push_back({"seed", CellKind::kNumber, std::to_string(scope.seed)});
  answer.facts.push_back({"confidence", CellKind::kNumber, ShareCell(scope.targets->confidence)});
  answer.facts.push_back({"question", CellKind::kText, scope.question});
}

std::string ScopeText(const TrainingScope& scope) {
  return std::to_string(scope.replications) +
         (scope.replications == 1 ? " replication" : " replications") + "; intervals at " +
         PercentText(scope.targets->confidence);
}

}  // namespace plimsoll
