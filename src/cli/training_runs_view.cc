#include "cli/training_runs_view.h"

#include <algorithm>
#include <array>

#include "capacity/sizing/exact_figure.h"
#include "capacity/sizing/start_curve.h"
#include "cli/commit_cells.h"
#include "cli/plan_input.h"
#include "cli/render.h"

namespace plimsoll {
namespace {

using Causes = std::array<std::int64_t, kWaitCauses>;

constexpr const char* kCauseTexts[kWaitCauses] = {
    "too few free GPUs",       "free GPUs scattered over nodes",
    "no domain with room",     "free GPUs of another flavor",
    "CPU or memory",           "nodes down",
    "quota used up",           "quota lent to others",
    "a job before it in line", "GPUs reserved for others"};

Cell BillionthsOf(int128 part, int128 whole) {
  if (whole == 0) return std::nullopt;
  return RatioCell(static_cast<std::int64_t>(DivideHalfEven(part * Money::kNanosPerUnit, whole)));
}

const WaitOutcome& WaitsIn(const ReplicationOutcome& outcome, TargetId id) {
  return id.kind == TargetKind::kClass ? outcome.classes.at(id.index) : outcome.gangs.at(id.index);
}

struct WaitTotals {
  WaitTally waits;
  Causes by_cause{};
};
WaitTotals TotalsOf(const TrainingRuns& runs, TargetId id) {
  WaitTotals totals;
  for (const ReplicationOutcome& outcome : runs.outcomes) {
    const WaitOutcome& one = WaitsIn(outcome, id);
    totals.waits.Merge(one.waits);
    for (std::size_t i = 0; i < kWaitCauses; ++i) totals.by_cause[i] += one.by_cause_ms[i];
  }
  return totals;
}

int128 SumOf(const Causes& causes) {
  int128 sum = 0;
  for (const std::int64_t cause : causes) sum += cause;
  return sum;
}

Cell MainCause(const Causes& causes) {
  if (SumOf(causes) == 0) return std::nullopt;
  const auto most = std::max_element(causes.begin(), causes.end());
  return kCauseTexts[most - causes.begin()];
}

std::vector<TargetId> WaitingTargets(const TrainingScope& scope) {
  std::vector<TargetId> ids;
  for (std::size_t i = 0; i < scope.targets->classes.size(); ++i) {
    ids.push_back({TargetKind::kClass, i});
  }
  for (std::size_t i = 0; i < scope.targets->gangs.size(); ++i) {
    ids.push_back({TargetKind::kGang, i});
  }
  return ids;
}

std::optional<Duration> TimeOf(const SizingTargets& targets, TargetId id) {
  if (id.kind == TargetKind::kClass) return targets.classes.at(id.index).within;
  return targets.gangs.at(id.index).within;
}

// What is said of one class, or of one gang's probes.
struct WaitRow {
  TargetResult result;
  WaitTotals totals;
  WaitQuantile p95;
  std::optional<Duration> within;
};
std::vector<WaitRow> WaitRows(const TrainingRuns& runs, TargetKind kind) {
  const SizingTargets& targets = *runs.scope.targets;
  std::vector<WaitRow> rows;
  for (const TargetResult& result : JudgeTargets(targets, runs.outcomes)) {
    if (result.id.kind != kind) continue;
    std::vector<WaitTally> waits;
    for (const ReplicationOutcome& outcome : runs.outcomes) {
      waits.push_back(WaitsIn(outcome, result.id).waits);
    }
    rows.push_back({result, TotalsOf(runs, result.id),
                    EstimateWaitQuantile(waits, 0.95, ConfidenceOf(targets)),
                    TimeOf(targets, result.id)});
  }
  return rows;
}

// There is none where some were not seen to start.
std::optional<Duration> MeanOf(const WaitTally& waits) {
  const auto mean = waits.unstarted() > 0 ? std::nullopt : waits.MeanMillis();
  return mean ? WholeMillis(*mean) : std::nullopt;
}

// What the mean is at least: who was not seen to start counts as long as it was seen to wait.
std::optional<Duration> LeastMean(const WaitRow& row) {
  const WaitTally& waits = row.totals.waits;
  if (waits.count() == 0) return std::nullopt;
  int128 least = waits.millis();
  if (row.result.id.kind == TargetKind::kGang) {
    least += int128{waits.unstarted()} * row.within.value_or(Duration()).base();
  }
  least = std::max(least, SumOf(row.totals.by_cause));
  return Millis(static_cast<std::int64_t>(least / waits.count()));
}

Table WaitTable(const TrainingRuns& runs, TargetKind kind) {
  using enum CellKind;
  Table table;
  table.name = kind == TargetKind::kClass ? "classes" : "gangs";
  table.columns = {{"name"},
                   {"jobs", kNumber},
                   {"unstarted", kNumber},
                   {"within_hours", kDecimal},
                   {"share.estimate", kNumber},
                   {"share.low", kNumber},
                   {"share.high", kNumber},
                   {"mean_wait_hours", kDecimal},
                   {"mean_wait_hours_least", kDecimal},
                   {"p50_wait_hours", kDecimal},
                   {"p95_wait_hours.estimate", kDecimal},
                   {"p95_wait_hours.low", kDecimal},
                   {"p95_wait_hours.high", kDecimal},
                   {"main_cause"}};
  for (const WaitRow& one : WaitRows(runs, kind)) {
    const WaitTally& waits = one.totals.waits;
    Row row = {TargetName(*runs.scope.targets, one.result.id), std::to_string(waits.count()),
               std::to_string(waits.unstarted()),
               one.within ? WaitCell(one.within, false) : std::nullopt};
    std::vector<Cell> cells =
        one.within ? ShareCells(one.result.share) : std::vector<Cell>(3, std::nullopt);
    cells.push_back(WaitCell(MeanOf(waits), false));
    cells.push_back(WaitCell(LeastMean(one), false));
    cells.push_back(WaitCell(waits.Quantile(0.5), false));
    for (const Cell& cell : WaitCells(one.p95, false)) cells.push_back(cell);
    cells.push_back(MainCause(one.totals.by_cause));
    row.insert(row.end(), cells.begin(), cells.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table WaitTableForPeople(const TrainingRuns& runs, TargetKind kind) {
  const bool is_class = kind == TargetKind::kClass;
  Table table;
  table.name = is_class ? "classes" : "gangs";
  table.title = is_class ? "Waits by class" : "A gang submitted at any time";
  table.columns = {{is_class ? "class" : "gang"},
                   {is_class ? "jobs" : "probes", CellKind::kNumber},
                   {"in time"},
                   {"mean"},
                   {"median"},
                   {"p95"},
                   {"main cause"}};
  for (const WaitRow& one : WaitRows(runs, kind)) {
    const WaitTally& waits = one.totals.waits;
    const bool known = waits.count() > 0;
    std::string share = "-";
    if (one.within && known) {
      share = PercentOf(Billionths(one.result.share.estimate)) + " (" +
              RangeText(one.result.share.interval) + ")";
    }
    // Probes are followed for their time only.
    const std::string beyond =
        is_class ? "never" : "> " + WaitText(one.within.value_or(Duration()));
    const auto wait = [&](std::optional<Duration> at) -> Cell {
      return !known ? "-" : at ? WaitText(*at) : beyond;
    };
    const std::string mean = !known                   ? "-"
                             : waits.unstarted() == 0 ? WaitText(*MeanOf(waits))
                                                      : ">= " + WaitText(*LeastMean(one));
    table.rows.push_back({TargetName(*runs.scope.targets, one.result.id),
                          std::to_string(waits.count()), share, mean, wait(waits.Quantile(0.5)),
                          wait(waits.Quantile(0.95)),
                          MainCause(one.totals.by_cause).value_or("-")});
  }
  return table;
}

Table CauseTable(const TrainingRuns& runs, std::vector<TargetId> targets) {
  Table table;
  table.name = "causes";
  table.title = "What jobs wait for";
  table.columns = {{"target"},
                   {"cause"},
                   {"wait_hours", CellKind::kDecimal, 1},
                   {"share", CellKind::kNumber, 3}};
  for (const TargetId id : targets) {
    const WaitTotals totals = TotalsOf(runs, id);
    const int128 sum = SumOf(totals.by_cause);
    for (std::size_t i = 0; i < kWaitCauses; ++i) {
      const std::int64_t ms = totals.by_cause[i];
      if (ms == 0) continue;
      table.rows.push_back({TargetName(*runs.scope.targets, id),
                            runs.scope.for_people ? kCauseTexts[i] : kWaitCauseNames[i],
                            HoursText(Millis(ms)), BillionthsOf(ms, sum)});
    }
  }
  return table;
}

struct Totals {
  int128 used = 0, capacity = 0, lost = 0, interruptions = 0;
};
Totals SumOf(std::span<const ReplicationOutcome> outcomes) {
  Totals totals;
  for (const ReplicationOutcome& outcome : outcomes) {
    totals.used += outcome.used;
    totals.capacity += outcome.capacity;
    totals.lost += outcome.lost;
    totals.interruptions += outcome.interruptions;
  }
  return totals;
}

void AddFleetFacts(const TrainingRuns& runs, Answer& answer) {
  const Totals totals = SumOf(runs.outcomes);
  const auto count = static_cast<std::int64_t>(runs.outcomes.size());
  answer.facts.push_back({"gpus", CellKind::kNumber, std::to_string(runs.gpus)});
  answer.facts.push_back({"currency", CellKind::kText, runs.scope.currency});
  answer.facts.push_back(
      {"cost_per_month", CellKind::kMoney,
       runs.cost_per_month ? Cell(runs.cost_per_month->ToString()) : std::nullopt});
  answer.facts.push_back(
      {"utilization", CellKind::kNumber, BillionthsOf(totals.used, totals.capacity)});
  answer.facts.push_back({"lost_share", CellKind::kNumber, BillionthsOf(totals.lost, totals.used)});
  answer.facts.push_back(
      {"interruptions", CellKind::kNumber, BillionthsOf(totals.interruptions, count)});
}

Table CurveTable(const TrainingRuns& runs) {
  const bool people = runs.scope.for_people;
  Table table;
  table.name = "curve";
  table.title = "P(start within)";
  table.columns = {
      {people ? "within" : "within_hours", people ? CellKind::kText : CellKind::kDecimal},
      {people ? "p" : "p_start.estimate", CellKind::kNumber, 3},
      {people ? "low" : "p_start.low", CellKind::kNumber, 3},
      {people ? "high" : "p_start.high", CellKind::kNumber, 3}};
  for (const CurvePoint& point : StartCurve(*runs.scope.targets, runs.outcomes, 0)) {
    Row row = {people && point.within == Duration() ? "at once" : WaitCell(point.within, people)};
    for (const Cell& cell : ShareCells(point.share)) row.push_back(cell);
    table.rows.push_back(std::move(row));
  }
  return table;
}

void AddTables(const TrainingRuns& runs, std::vector<Table> tables, Answer& answer) {
  for (Table& table : tables) {
    if (runs.scope.for_people && table.rows.empty()) continue;
    answer.tables.push_back(std::move(table));
  }
  if (runs.fit) AddFit(*runs.fit, runs.scope.for_people, answer);
  if (runs.formulas.empty()) return;
  answer.notes.push_back(
      "closed forms know nothing of other classes that hold or break up domains, of priorities, "
      "quotas, failures and bursts: where jobs are mixed they are too hopeful");
}

Table WaitTableOf(const TrainingRuns& runs, TargetKind kind) {
  return runs.scope.for_people ? WaitTableForPeople(runs, kind) : WaitTable(runs, kind);
}

std::string FleetText(const TrainingRuns& runs) {
  const Totals totals = SumOf(runs.outcomes);
  std::string text = std::to_string(runs.gpus) + " GPUs, ";
  const Cell used = BillionthsOf(totals.used, totals.capacity);
  text += (used ? PercentOf(static_cast<std::int64_t>(Money::Parse(*used)->nanos())) : "-") +
          " of their time held by jobs";
  if (runs.cost_per_month) {
    text += "; " + Rounded(*runs.cost_per_month, 2) + " " + runs.scope.currency + " a month";
  }
  return text;
}

// What is, before what would be.
void AddRecord(const TrainingRuns& runs, Answer& answer) {
  if (runs.record.empty()) return;
  answer.tables.push_back(RecordTable(runs.record, runs.scope.for_people));
  answer.notes.push_back(
      "on record: from submission to start. Simulated (sim): the same jobs at the same times, "
      "once, without those of the first tenth, which fill the empty cluster. Nodes that an "
      "autoscaler has to add first are not simulated. Where more differs, the scheduler does "
      "something that is not told here: --set order, discipline, preemption, or --quota");
}

}  // namespace

Table FormulaTable(const TrainingScope& scope, std::span<const FormulaRow> formulas) {
  using enum CellKind;
  const bool people = scope.for_people;
  const CellKind time = people ? kText : kDecimal;
  Table table;
  table.name = "formulas";
  table.title = "Closed forms, for comparison";
  table.columns = {{"target"},
                   {"servers", kNumber},
                   {"servers_by_count", kNumber},
                   {"utilization", kNumber, 3},
                   {"variability.arrivals", kNumber, 1},
                   {"variability.runs", kNumber, 1},
                   {"p_within", kNumber, 3},
                   {"mean_wait_hours.mmc", time},
                   {"mean_wait_hours.allen_cunneen", time},
                   {"mean_wait_hours.sakasegawa", time},
                   {"mean_wait_hours.kingman", time}};
  for (const FormulaRow& row : formulas) {
    const FormulaAnswer& answer = row.answer;
    table.rows.push_back(
        {TargetName(*scope.targets, row.target), std::to_string(answer.servers),
         std::to_string(row.servers_by_count), RatioCell(Billionths(answer.utilization)),
         RatioCell(Billionths(row.load.variability.arrivals)),
         RatioCell(Billionths(row.load.variability.services)), RatioCell(Billionths(answer.within)),
         WaitCell(WholeMillis(answer.mmc_ms), people),
         WaitCell(WholeMillis(answer.allen_cunneen_ms), people),
         WaitCell(WholeMillis(answer.sakasegawa_ms), people),
         answer.kingman_ms ? WaitCell(WholeMillis(*answer.kingman_ms), people) : std::nullopt});
  }
  if (!people) return table;
  KeepColumns(table, {"target", "servers", "utilization", "p_within", "mean_wait_hours.mmc",
                      "mean_wait_hours.allen_cunneen"});
  const char* const names[] = {"target", "servers", "load", "in time", "M/M/c", "Allen-Cunneen"};
  for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i].name = names[i];
  return table;
}

Answer RunsAnswer(const TrainingRuns& runs) {
  Answer answer;
  AddScopeFacts(runs.scope, answer);
  AddFleetFacts(runs, answer);
  answer.lines = {FleetText(runs), ScopeText(runs.scope)};
  AddRecord(runs, answer);
  AddTables(runs,
            {WaitTableOf(runs, TargetKind::kClass), WaitTableOf(runs, TargetKind::kGang),
             CauseTable(runs, WaitingTargets(runs.scope)), FormulaTable(runs.scope, runs.formulas)},
            answer);
  return answer;
}

Answer ProbeAnswerOf(const TrainingRuns& runs) {
  const GangTarget& gang = runs.scope.targets->gangs.at(0);
  ShareEstimate share = StartCurve(*runs.scope.targets, runs.outcomes, 0).back().share;
  const bool no_room = !runs.never.empty() && runs.never[0];
  const bool no_quota = !runs.no_quota.empty() && runs.no_quota[0];
  const bool never = no_room || no_quota;
  if (never) share.interval = {0, 0};  // not by chance
  Answer answer;
  const std::vector<Cell> cells = ShareCells(share);
  answer.facts = {{"p_start.estimate", CellKind::kNumber, cells[0]},
                  {"p_start.low", CellKind::kNumber, cells[1]},
                  {"p_start.high", CellKind::kNumber, cells[2]},
                  {"never", CellKind::kBoolean, never ? "true" : "false"},
                  {"within_hours", CellKind::kDecimal, HoursText(gang.within)},
                  {"probes", CellKind::kNumber, std::to_string(share.count)},
                  {"probes_started", CellKind::kNumber, std::to_string(share.hits)},
                  {"probes_effective", CellKind::kNumber, RatioCell(Billionths(share.effective))}};
  AddScopeFacts(runs.scope, answer);
  AddFleetFacts(runs, answer);
  answer.lines = {"P(" + gang.name + ") = " + PercentOf(Billionths(share.estimate)) + " (" +
                      RangeText(share.interval) + ")",
                  std::to_string(share.hits) + " of " + std::to_string(share.count) +
                      " probes in " + ScopeText(runs.scope) + ", worth " +
                      DisplayDecimal(RatioCell(Billionths(share.effective)).value_or("0"), 0) +
                      " independent ones",
                  FleetText(runs)};
  if (no_quota) answer.lines[1] = "It can never start: the quota of its queue is never enough";
  if (no_room) answer.lines[1] = "It can never start: the empty cluster has no room for it";
  AddRecord(runs, answer);
  AddTables(runs,
            {CurveTable(runs), CauseTable(runs, {{TargetKind::kGang, 0}}),
             FormulaTable(runs.scope, runs.formulas)},
            answer);
  return answer;
}

}  // namespace plimsoll
