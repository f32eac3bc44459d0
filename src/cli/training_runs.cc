#include "cli/training_runs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "allocation/attribute.h"
#include "cli/import_view.h"
#include "cli/open_ledger.h"
#include "ingest/runs/run_files.h"
#include "ingest/runs/scheduler_events.h"
#include "ledger/facts.h"
#include "ledger/run_costs.h"
#include "store/select.h"

namespace plimsoll {
namespace {

// How far a scheduler's clock may be off a log's before they speak of different attempts.
constexpr Duration kClockTolerance = Minutes(10);

struct TrainingFacts {
  RunBatch runs;
  RunEventBatch events;
};

// A run that is shown, with the rows of its events, and until when attempts held their GPUs.
struct Chosen {
  std::size_t run = 0;
  std::vector<std::size_t> events;
  std::map<std::int64_t, Instant> held_until = {};
};

Result<TrainingFacts> ReadFacts(Context& context, const TrainingQuestion& question) {
  TrainingFacts facts;
  if (question.paths.empty()) {
    const Result<Store*> opened = context.existing_store();
    if (!opened) {
      return Error{opened.error().code,
                   opened.error().message + "; --runs FILE reads logs without a database"};
    }
    Store* const store = *opened;
    PLIMSOLL_TRY(facts.runs,
                 Query<RunBatch>(*store, "SELECT " + ColumnsSql<RunBatch>() + " FROM active_run"));
    PLIMSOLL_TRY(facts.events,
                 Query<RunEventBatch>(
                     *store, "SELECT " + ColumnsSql<RunEventBatch>() + " FROM active_run_event"));
    return facts;
  }
  RunFileOptions options;
  options.paths = question.paths;
  options.progress = context.progress();
  PLIMSOLL_TRY(RunReading reading, ReadRunFiles(options));
  const ImportReport report = RunReportOf(reading);
  for (const std::string& warning : report.warnings) context.Warn(warning);
  if (!reading.rejections.empty()) {
    const Rejection& first = reading.rejections.front();
    context.Warn(std::to_string(reading.rejections.size()) + " rejected; the first: " + first.file +
                 ":" + std::to_string(first.line) + ": " + first.field + ": " + first.reason);
  }
  facts.runs = std::move(reading.runs);
  facts.events = std::move(reading.events);
  return facts;
}

// A run that several sources tell is one: its own event log's, else that of the most events.
std::vector<Chosen> Choose(Context& context, const TrainingFacts& facts,
                           const std::string& experiment) {
  using Key = std::pair<std::string, std::string>;
  std::map<Key, Chosen> by_key;
  for (std::size_t i = 0; i < RowsOf(facts.runs); ++i) {
    by_key[{facts.runs.run[i], facts.runs.source[i].text()}].run = i;
  }
  for (std::size_t i = 0; i < RowsOf(facts.events); ++i) {
    const auto found = by_key.find({facts.events.run[i], facts.events.source[i].text()});
    if (found != by_key.end()) found->second.events.push_back(i);
  }
  std::map<std::string, Chosen> best;
  for (auto& [key, chosen] : by_key) {
    if (!experiment.empty() && facts.runs.experiment[chosen.run] != experiment) continue;
    const auto [place, is_new] = best.emplace(key.first, chosen);
    if (is_new) continue;
    const auto worth = [&](const Chosen& c) {
      return std::pair(facts.runs.source[c.run] == "log", c.events.size());
    };
    Chosen other = chosen;
    if (worth(place->second) < worth(chosen)) std::swap(other, place->second);
    context.Say("Note: run " + key.first + " is also told by " +
                facts.runs.source[other.run].text() + ", which is left out");
  }
  std::vector<Chosen> list;
  for (auto& [run, chosen] : best) list.push_back(std::move(chosen));
  return list;
}

std::string TimesOf(const RunBatch& runs, std::size_t run) {
  const auto labels = NormalizedLabels(runs.labels[run]);
  const auto found = labels.find(NormalizedLabelKey(kRunTimesLabel));
  return found == labels.end() ? "" : found->second;
}

// The times from the first to the last event of each attempt.
using AttemptSpans = std::map<std::int64_t, Window>;
AttemptSpans SpansOf(const RunEventBatch& events, const std::vector<std::size_t>& rows) {
  AttemptSpans spans;
  for (const std::size_t row : rows) {
    const auto [span, is_new] =
        spans.emplace(events.attempt[row], Window{events.at[row], events.at[row]});
    span->second.begin = std::min(span->second.begin, events.at[row]);
    span->second.until = std::max(span->second.until, events.at[row]);
  }
  return spans;
}

// What a scheduler held for a run at a time: rows of its events, and the log's attempts in it.
struct SchedulerSpan {
  Window time;
  bool is_open = true;  // it has no end yet
  std::vector<std::size_t> rows;
  std::vector<std::int64_t> attempts;  // numbers of the log's, by begin
};

std::vector<SchedulerSpan> SchedulerSpans(const RunEventBatch& events,
                                          const std::vector<std::size_t>& rows,
                                          const AttemptSpans& log) {
  std::map<std::int64_t, SchedulerSpan> by_number;
  for (const std::size_t row : rows) {
    const Instant at = events.at[row];
    const auto [place, is_new] = by_number.try_emplace(events.attempt[row]);
    SchedulerSpan& span = place->second;
    if (is_new) span.time = {at, at};
    span.time = {std::min(span.time.begin, at), std::max(span.time.until, at)};
    span.is_open = span.is_open && events.kind[row] == "start";
    span.rows.push_back(row);
  }
  std::vector<SchedulerSpan> spans;
  for (auto& [number, span] : by_number) spans.push_back(std::move(span));
  for (const auto& [number, logged] : log) {
    for (std::size_t i = spans.size(); i-- > 0;) {
      if (logged.begin + kClockTolerance < spans[i].time.begin) continue;
      const bool is_over = !spans[i].is_open && logged.begin >= spans[i].time.until;
      if (!is_over) spans[i].attempts.push_back(number);
      break;
    }
  }
  return spans;
}

// Adds what schedulers know of the attempts: since when they held their GPUs, and how they ended.
Status AddSchedulers(Store& store, TrainingFacts& facts, std::vector<Chosen>& chosen) {
  RunBatch joinable;
  std::map<std::string, Chosen*> by_run;
  for (Chosen& one : chosen) {
    if (!TimesOf(facts.runs, one.run).empty()) continue;
    AppendRow(joinable, facts.runs, one.run);
    by_run[facts.runs.run[one.run]] = &one;
  }
  if (by_run.empty()) return Ok();
  const Window always{AtMillis(0), AtMillis(std::numeric_limits<std::int64_t>::max() / 2)};
  PLIMSOLL_TRY(const OccupancyFacts occupancy, ReadOccupancy(store, always));
  const RunEventBatch events = SchedulerEvents(joinable, occupancy.holdings);
  std::map<std::string, std::vector<std::size_t>> told;
  for (std::size_t row = 0; row < RowsOf(events); ++row) told[events.run[row]].push_back(row);
  for (const auto& [run, rows] : told) {
    Chosen& one = *by_run.at(run);
    const AttemptSpans log = SpansOf(facts.events, one.events);
    for (const SchedulerSpan& span : SchedulerSpans(events, rows, log)) {
      if (span.attempts.empty()) continue;
      for (const std::size_t row : span.rows) {
        const bool is_start = events.kind[row] == "start";
        AppendRow(facts.events, events, row);
        facts.events.attempt.back() = is_start ? span.attempts.front() : span.attempts.back();
        one.events.push_back(RowsOf(facts.events) - 1);
      }
      // Attempts in one pod or job: it held its GPUs on until the next one began.
      for (std::size_t i = 0; i + 1 < span.attempts.size(); ++i) {
        one.held_until[span.attempts[i]] = log.at(span.attempts[i + 1]).begin;
      }
    }
  }
  return Ok();
}

// The target of an experiment: its own, else that of all others.
std::optional<QualityTarget> TargetOf(const std::vector<QualityTarget>& targets,
                                      const std::string& experiment) {
  std::optional<QualityTarget> other;
  for (const QualityTarget& target : targets) {
    if (target.experiment == experiment && !experiment.empty()) return target;
    if (target.experiment.empty()) other = target;
  }
  return other;
}

constexpr const char* kPartJoined = "part_joined";

// Not if cost lines are missing for a part of what it held: such a cost is too low to compare.
bool HasWholeCost(const PricedRun& run) {
  return run.costs && std::find(run.marks.begin(), run.marks.end(), kPartJoined) == run.marks.end();
}

Status PriceByLedger(Context& context, const TrainingFacts& facts,
                     const std::vector<Chosen>& chosen, std::vector<PricedRun>& priced) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  std::vector<RunHeld> held;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!TimesOf(facts.runs, chosen[i].run).empty()) continue;
    RunHeld& one = held.emplace_back(RunHeld{chosen[i].run, {}});
    for (const TimePiece& piece : priced[i].account.pieces) one.held.push_back(piece.held);
    places.push_back(i);
  }
  PLIMSOLL_TRY(const std::vector<RunCost> costs, RunCosts(ledger, facts.runs, held));
  for (std::size_t i = 0; i < costs.size(); ++i) {
    PricedRun& run = priced[places[i]];
    if (costs[i].cost.size() > 1) run.marks.emplace_back("currencies");
    if (costs[i].cost.size() != 1) continue;
    const auto& [currency, cost] = *costs[i].cost.begin();
    run.currency = currency;
    run.cost_source = "ledger";
    run.joined = costs[i].gpu_time;
    PLIMSOLL_TRY(run.costs, UnitCostsOf(run.account, cost));
    // A hundredth is what clocks of logs and schedulers differ by.
    if (int128{run.joined->base()} * 100 >= int128{run.account.allocated.base()} * 99) continue;
    run.marks.emplace_back(kPartJoined);
    run.costs->per_million_samples.reset();
    run.costs->per_billion_tokens.reset();
  }
  return Ok();
}

// What the lines of each window say, of runs whose cost is in one currency.
Status PriceWindows(Context& context, const TrainingQuestion& question, const TrainingFacts& facts,
                    const std::vector<Chosen>& chosen, std::vector<PricedRun>& priced) {
  PLIMSOLL_TRY(Ledger ledger, OpenLedger(context));
  for (PricedRun& run : priced) run.window_costs.resize(question.windows.size());
  for (std::size_t w = 0; w < question.windows.size(); ++w) {
    std::vector<RunHeld> held;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (priced[i].cost_source != "ledger") continue;
      RunHeld one{chosen[i].run, {}};
      for (const TimePiece& piece : priced[i].account.pieces) {
        const Window part = Intersect(piece.held, question.windows[w]);
        if (!part.empty()) one.held.push_back(part);
      }
      if (one.held.empty()) continue;
      held.push_back(std::move(one));
      places.push_back(i);
    }
    if (held.empty()) continue;
    PLIMSOLL_TRY(const std::vector<RunCost> costs, RunCosts(ledger, facts.runs, held));
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const auto found = costs[i].cost.find(priced[places[i]].currency);
      if (found != costs[i].cost.end()) priced[places[i]].window_costs[w] = found->second;
    }
  }
  return Ok();
}

Status PriceByHour(const TrainingQuestion& question, const std::string& currency, PricedRun& run) {
  if (run.costs) return Ok();
  if (question.with_ledger) run.marks.emplace_back("no_cost_lines");
  if (!run.has_gpu_time) return Ok();
  if (!question.gpu_price) {
    if (!question.with_ledger) run.marks.emplace_back("no_price");
    return Ok();
  }
  PLIMSOLL_TRY(const Money cost, CostAt(run.account, *question.gpu_price));
  PLIMSOLL_TRY(run.costs, UnitCostsOf(run.account, cost));
  run.currency = currency;
  run.cost_source = "gpu-price";
  return Ok();
}

Status Judge(const TrainingFacts& facts, PricedRun& run) {
  if (!run.target) return Ok();
  run.reached =
      Reach(EvaluationsOf(facts.events, run.account.log, run.target->metric), *run.target);
  if (!run.reached.at || !HasWholeCost(run)) return Ok();
  PLIMSOLL_TRY(run.cost_to_target,
               CostOfPart(run.account, run.costs->cost, HeldBefore(run.account, *run.reached.at)));
  return Ok();
}

void Rank(std::vector<PricedRun>& runs) {
  std::vector<RunToRank> to_rank;
  for (const PricedRun& run : runs) {
    RunToRank one;
    one.group = run.experiment + '\n' + run.currency;
    one.has_target = run.target.has_value();
    one.at_most = run.target && run.target->at_most;
    if (HasWholeCost(run)) one.cost = run.costs->cost;
    one.cost_to_target = run.cost_to_target;
    one.quality = run.reached.quality;
    to_rank.push_back(std::move(one));
  }
  const std::vector<RunRank> ranks = RankRuns(to_rank);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].rank = ranks[i];
  const auto key = [](const PricedRun& run) {
    const auto last = std::numeric_limits<std::int64_t>::max();
    return std::tuple(run.experiment, run.rank.rank.value_or(last), run.run);
  };
  std::sort(runs.begin(), runs.end(),
            [&](const PricedRun& a, const PricedRun& b) { return key(a) < key(b); });
}

Result<PricedRun> AccountOf(const TrainingFacts& facts, const Chosen& chosen,
                            const TrainingQuestion& question) {
  const RunBatch& runs = facts.runs;
  PricedRun priced;
  priced.run = runs.run[chosen.run];
  priced.source = runs.source[chosen.run].text();
  priced.experiment = runs.experiment[chosen.run];
  priced.name = runs.name[chosen.run];
  priced.model = runs.model[chosen.run];
  TrainingOptions options;
  options.gpus = question.gpus;
  options.causes.hang_factor = question.hang_factor;
  options.causes.held_until = chosen.held_until;
  PLIMSOLL_TRY(priced.account, Account(facts.events, chosen.events, options));
  priced.marks = priced.account.Marks();
  const std::string times = TimesOf(runs, chosen.run);
  if (times == kRunTimesNone) priced.marks.emplace_back("no_times");
  if (times == kRunTimesRelative) priced.marks.emplace_back("relative_times");
  const bool no_gpus = priced.account.log.no_gpus && priced.account.allocated == GpuHours();
  priced.has_gpu_time = times != kRunTimesNone && !no_gpus;
  return priced;
}

}  // namespace

Result<std::vector<PricedRun>> AnswerTraining(Context& context, const TrainingQuestion& question) {
  PLIMSOLL_TRY(const Config* config, context.config());
  PLIMSOLL_TRY(TrainingFacts facts, ReadFacts(context, question));
  std::vector<Chosen> chosen = Choose(context, facts, question.experiment);
  if (question.with_ledger) {
    PLIMSOLL_TRY(Store * store, context.existing_store());
    PLIMSOLL_RETURN_IF_ERROR(AddSchedulers(*store, facts, chosen));
  }
  std::vector<PricedRun> priced;
  for (const Chosen& one : chosen) {
    PLIMSOLL_TRY(PricedRun run, AccountOf(facts, one, question));
    run.target = question.target ? question.target : TargetOf(config->targets, run.experiment);
    priced.push_back(std::move(run));
  }
  if (question.with_ledger) {
    PLIMSOLL_RETURN_IF_ERROR(PriceByLedger(context, facts, chosen, priced));
    PLIMSOLL_RETURN_IF_ERROR(PriceWindows(context, question, facts, chosen, priced));
  }
  for (PricedRun& run : priced) {
    PLIMSOLL_RETURN_IF_ERROR(PriceByHour(question, config->currency, run));
    PLIMSOLL_RETURN_IF_ERROR(Judge(facts, run));
  }
  Rank(priced);
  return priced;
}

}  // namespace plimsoll
