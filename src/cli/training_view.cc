#include "cli/training_view.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "units/split.h"

namespace plimsoll {
namespace {

constexpr std::size_t kFailuresShownMax = 20;

Cell HoursCell(const PricedRun& run, GpuHours time) {
  return run.has_gpu_time ? Cell(ToDecimalHours(time)) : std::nullopt;
}

// Hours of a cause with nine places; by largest remainder, so that those of all causes add up to
// the printed hours of the run too.
Cell CauseCell(const PricedRun& run, std::size_t cause) {
  if (!run.has_gpu_time) return std::nullopt;
  const GpuHours allocated = run.account.allocated;
  if (allocated <= GpuHours()) return Money().ToString();
  const int128 total =
      DivideHalfEven(int128{allocated.base()} * Money::kNanosPerUnit, WholeGpuHours(1).base());
  std::array<std::int64_t, kTimeCauseCount> weights{};
  std::array<int128, kTimeCauseCount> parts{};
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = run.account.time[i].base();
  if (!SplitInto(total, weights, parts)) return ToDecimalHours(run.account.time[cause]);
  return Money::FromNanos(parts[cause]).ToString();
}
Cell MoneyCell(const std::optional<Money>& money) {
  return money ? Cell(money->ToString()) : std::nullopt;
}
Cell CountCell(const std::optional<std::int64_t>& count) {
  return count ? Cell(std::to_string(*count)) : std::nullopt;
}
// Parts per billion as a ratio with nine places.
Cell RatioCell(const std::optional<std::int64_t>& billionths) {
  return billionths ? Cell(Money::FromNanos(*billionths).ToString()) : std::nullopt;
}
Cell TextCell(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : "\n") + text;
  return joined;
}

// One column: where it stands in text, and how a run fills it.
struct RunColumn {
  enum class Place : unsigned char { kData, kTime, kCost, kBoth };
  TableColumn column;
  Place place;
  std::function<Cell(const PricedRun&)> cell;
  std::string title = {};  // in text, if it is not the name
};
using Place = RunColumn::Place;

void AddNames(std::vector<RunColumn>& columns) {
  columns.push_back({{"run"}, Place::kBoth, [](const PricedRun& r) { return Cell(r.run); }});
  columns.push_back({{"source"}, Place::kData, [](const PricedRun& r) { return Cell(r.source); }});
  columns.push_back(
      {{"experiment"}, Place::kCost, [](const PricedRun& r) { return TextCell(r.experiment); }});
  columns.push_back({{"name"}, Place::kData, [](const PricedRun& r) { return TextCell(r.name); }});
  columns.push_back(
      {{"model"}, Place::kData, [](const PricedRun& r) { return TextCell(r.model); }});
}

void AddTimes(std::vector<RunColumn>& columns) {
  const CellKind decimal = CellKind::kDecimal, number = CellKind::kNumber;
  columns.push_back({{"gpu_hours_allocated", decimal, 2},
                     Place::kTime,
                     [](const PricedRun& r) { return HoursCell(r, r.account.allocated); },
                     "gpu_hours"});
  columns.push_back({{"gpu_hours_effective", decimal, 2},
                     Place::kTime,
                     [](const PricedRun& r) { return CauseCell(r, 0); },
                     "effective"});
  for (std::size_t i = 1; i < kTimeCauseCount; ++i) {
    columns.push_back({{std::string("losses.") + kTimeCauseNames[i], decimal, 2},
                       Place::kTime,
                       [i](const PricedRun& r) { return CauseCell(r, i); },
                       kTimeCauseNames[i]});
  }
  columns.push_back({{"ettr", number, 3}, Place::kTime, [](const PricedRun& r) {
                       return RatioCell(ShareOf(r.account.of(TimeCause::kEffective),
                                                r.has_gpu_time ? r.account.allocated : GpuHours()));
                     }});
  columns.push_back({{"ettr_expected", number, 3},
                     Place::kTime,
                     [](const PricedRun& r) { return RatioCell(ExpectedEttr(r.account)); },
                     "expected"});
}

void AddOutput(std::vector<RunColumn>& columns) {
  const CellKind number = CellKind::kNumber;
  const auto add = [&](const char* name, auto count) {
    columns.push_back({{name, number}, Place::kData, [count](const PricedRun& r) {
                         return CountCell(count(r.account));
                       }});
  };
  using Count = std::optional<std::int64_t>;
  add("attempts", [](const TrainingRun& r) { return Count(std::ssize(r.log.attempts)); });
  add("steps", [](const TrainingRun& r) { return Count(r.kept.steps); });
  add("steps_repeated", [](const TrainingRun& r) { return Count(r.lost.steps); });
  // Nothing lost is 0 where the log counts at all.
  const auto repeated = [](Count lost, Count kept) { return lost || !kept ? lost : Count(0); };
  add("samples", [](const TrainingRun& r) { return r.kept.samples; });
  add("samples_repeated",
      [=](const TrainingRun& r) { return repeated(r.lost.samples, r.kept.samples); });
  add("tokens", [](const TrainingRun& r) { return r.kept.tokens; });
  add("tokens_repeated",
      [=](const TrainingRun& r) { return repeated(r.lost.tokens, r.kept.tokens); });
}

void AddCosts(std::vector<RunColumn>& columns) {
  const CellKind money = CellKind::kMoney, number = CellKind::kNumber;
  const auto add = [&](TableColumn column, auto get, const char* title = "") {
    columns.push_back(
        {std::move(column), Place::kCost,
         [get](const PricedRun& r) { return r.costs ? MoneyCell(get(*r.costs)) : std::nullopt; },
         title});
  };
  columns.push_back({{"failures", number}, Place::kCost, [](const PricedRun& r) {
                       return Cell(std::to_string(r.account.failures.size()));
                     }});
  columns.push_back({{"failure_gpu_hours", CellKind::kDecimal, 2},
                     Place::kData,
                     [](const PricedRun& r) { return HoursCell(r, r.account.FailureLoss()); }});
  add({"failure_loss", money, 2},
      [](const TrainingUnitCosts& c) { return std::optional(c.failure_loss); });
  add({"cost", money, 2}, [](const TrainingUnitCosts& c) { return std::optional(c.cost); });
  columns.push_back({{"currency"}, Place::kCost, [](const PricedRun& r) {
                       return r.costs ? Cell(r.currency) : std::nullopt;
                     }});
  columns.push_back(
      {{"cost_source"}, Place::kData, [](const PricedRun& r) { return TextCell(r.cost_source); }});
  columns.push_back(
      {{"gpu_hours_joined", CellKind::kDecimal, 2}, Place::kData, [](const PricedRun& r) {
         return r.joined ? Cell(ToDecimalHours(*r.joined)) : std::nullopt;
       }});
  add(
      {"cost_per_million_samples", money, 4},
      [](const TrainingUnitCosts& c) { return c.per_million_samples; }, "per_1M_samples");
  add(
      {"cost_per_billion_tokens", money, 4},
      [](const TrainingUnitCosts& c) { return c.per_billion_tokens; }, "per_1B_tokens");
}

void AddQuality(std::vector<RunColumn>& columns) {
  columns.push_back({{"target"}, Place::kData, [](const PricedRun& r) {
                       return r.target ? Cell(ToString(*r.target)) : std::nullopt;
                     }});
  columns.push_back({{"target_step", CellKind::kNumber}, Place::kData, [](const PricedRun& r) {
                       return CountCell(r.reached.step);
                     }});
  columns.push_back({{"cost_to_target", CellKind::kMoney, 2}, Place::kCost, [](const PricedRun& r) {
                       return MoneyCell(r.cost_to_target);
                     }});
  columns.push_back({{"quality", CellKind::kNumber}, Place::kCost, [](const PricedRun& r) {
                       return r.reached.quality ? Cell(r.reached.quality->ToString())
                                                : std::nullopt;
                     }});
  columns.push_back({{"rank", CellKind::kNumber}, Place::kCost, [](const PricedRun& r) {
                       return CountCell(r.rank.rank);
                     }});
  columns.push_back({{"pareto"}, Place::kCost, [](const PricedRun& r) {
                       if (!r.rank.pareto) return Cell();
                       return Cell(*r.rank.pareto ? "front" : "dominated");
                     }});
}

std::vector<RunColumn> ColumnsOfRuns() {
  std::vector<RunColumn> columns;
  AddNames(columns);
  AddTimes(columns);
  AddOutput(columns);
  AddCosts(columns);
  AddQuality(columns);
  const auto edge = [](const PricedRun& r, bool is_end) -> Cell {
    if (r.account.pieces.empty()) return std::nullopt;
    Window held = r.account.pieces.front().held;
    for (const TimePiece& piece : r.account.pieces) {
      held.begin = std::min(held.begin, piece.held.begin);
      held.until = std::max(held.until, piece.held.until);
    }
    return ToString(is_end ? held.until : held.begin);
  };
  columns.push_back(
      {{"held_begin"}, Place::kData, [=](const PricedRun& r) { return edge(r, false); }});
  columns.push_back(
      {{"held_until"}, Place::kData, [=](const PricedRun& r) { return edge(r, true); }});
  columns.push_back({{"marks", CellKind::kList}, Place::kData, [](const PricedRun& r) {
                       return Cell(Joined(r.marks));
                     }});
  return columns;
}

// The columns of one place; all of them for programs.
Table RunsTable(const std::vector<PricedRun>& runs, Place place) {
  Table table;
  table.name = "runs";
  const std::vector<RunColumn> columns = ColumnsOfRuns();
  table.rows.resize(runs.size());
  for (const RunColumn& column : columns) {
    const bool for_people = place != Place::kData;
    if (for_people && column.place != place && column.place != Place::kBoth) continue;
    std::vector<Cell> cells;
    for (const PricedRun& run : runs) cells.push_back(column.cell(run));
    const bool empty = std::none_of(cells.begin(), cells.end(), [](const Cell& cell) {
      return cell && *cell != "0.000000000" && *cell != "0";
    });
    if (for_people && empty) continue;
    table.columns.push_back(column.column);
    if (for_people && !column.title.empty()) table.columns.back().name = column.title;
    for (std::size_t i = 0; i < runs.size(); ++i) table.rows[i].push_back(cells[i]);
  }
  return table;
}

Table FailuresTable(const std::vector<PricedRun>& runs, bool for_people) {
  Table table;
  table.name = "failures";
  table.columns = {{"run"},
                   {"attempt", CellKind::kNumber},
                   {"at"},
                   {"reason"},
                   {"gpu_hours_lost", CellKind::kDecimal, 2},
                   {"gpu_hours_restart", CellKind::kDecimal, 2},
                   {"loss", CellKind::kMoney, 2}};
  for (const PricedRun& run : runs) {
    for (const TrainingFailure& failure : run.account.failures) {
      Cell loss;
      if (run.costs) {
        const auto cost = CostOfPart(run.account, run.costs->cost, failure.Loss());
        if (cost) loss = cost->ToString();
      }
      const std::string reason = failure.is_told ? failure.reason : "ended without a word";
      table.rows.push_back({run.run, std::to_string(failure.attempt), ToString(failure.at),
                            TextCell(reason), HoursCell(run, failure.work_lost),
                            HoursCell(run, failure.restart), loss});
    }
  }
  if (for_people && table.rows.size() > kFailuresShownMax) table.rows.resize(kFailuresShownMax);
  return table;
}

const std::map<std::string, std::string>& MarkSentences() {
  static const std::map<std::string, std::string> sentences{
      {"clock", "their clock went back; what it hides counts 0"},
      {"overlap", "attempts overlap: what both held is paid twice"},
      {"no_start", "an attempt has no start: it counts from its first event"},
      {"no_stop", "an attempt ends without stop or failure: it counts to its last event"},
      {"no_gpus", "the log says no number of GPUs: give --gpus N"},
      {"no_times", "the log tells no times: GPU-hours and cost are unknown"},
      {"relative_times", "the log's times are relative: no cost lines can be joined"},
      {"no_cost_lines", "no cost line belongs to it: give --gpu-price, or load what it ran on"},
      {"part_joined",
       "cost lines are missing for a part of what it held: its cost is too low to be compared, "
       "so that it has no unit cost and no rank"},
      {"currencies", "its cost lines are in several currencies, which are never added"},
      {"no_price", "there is no price: give --gpu-price"},
  };
  return sentences;
}

std::vector<std::string> NotesOf(const std::vector<PricedRun>& runs) {
  std::map<std::string, std::vector<std::string>> marked;
  for (const PricedRun& run : runs) {
    for (const std::string& mark : run.marks) marked[mark].push_back(run.run);
  }
  std::vector<std::string> notes;
  for (const auto& [mark, names] : marked) {
    const auto sentence = MarkSentences().find(mark);
    if (sentence == MarkSentences().end()) continue;
    std::string who = "Note: run " + names.front();
    if (names.size() > 1) who += " and " + std::to_string(names.size() - 1) + " more";
    notes.push_back(who + ": " + sentence->second);
  }
  std::size_t failures = 0;
  for (const PricedRun& run : runs) failures += run.account.failures.size();
  if (failures > kFailuresShownMax) {
    notes.push_back("Note: " + std::to_string(failures) + " failures, of which " +
                    std::to_string(kFailuresShownMax) + " are shown; --format json has all");
  }
  return notes;
}

}  // namespace

Answer TrainingAnswer(const std::vector<PricedRun>& runs, bool for_people) {
  Answer answer;
  if (!for_people) {
    answer.tables = {RunsTable(runs, Place::kData), FailuresTable(runs, false)};
    return answer;
  }
  answer.tables = {RunsTable(runs, Place::kTime), RunsTable(runs, Place::kCost),
                   FailuresTable(runs, true)};
  answer.tables[0].title = "GPU-hours by what they went into";
  answer.tables[1].title = "What came out, and what it cost";
  answer.tables[2].title = "Failures: work since the last durable checkpoint, and the restart";
  answer.notes = NotesOf(runs);
  return answer;
}

}  // namespace plimsoll
