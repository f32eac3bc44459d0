#include "cli/unit_week.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cli/priced_requests.h"
#include "cli/training_runs.h"
#include "economics/training_steps.h"

namespace plimsoll {
namespace {

struct NumberRow {
  std::vector<std::int64_t> value;
  static constexpr std::tuple kColumns{MakeColumn("value", &NumberRow::value)};
};

Result<bool> HasRows(Store& store, const std::string& table) {
  PLIMSOLL_TRY(const NumberRow rows,
               Query<NumberRow>(store, "SELECT count(*) AS value FROM (SELECT 1 FROM active_" +
                                           table + " LIMIT 1)"));
  return !rows.value.empty() && rows.value[0] > 0;
}

// Oldest first; the last is `window`.
std::vector<Window> WindowsBefore(Window window, std::int64_t count) {
  std::vector<Window> windows;
  for (std::int64_t k = count; k >= 0; --k) {
    const Duration back = Millis(window.length().base() * k);
    windows.push_back({window.begin - back, window.until - back});
  }
  return windows;
}

void AddTo(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part) {
  if (part) sum = sum.value_or(0) + *part;
}

// What of the run lies in `window`, and cost `cost` there; null if it held nothing in it.
Result<std::optional<RunWeek>> WeekOf(const PricedRun& run, const Window& window,
                                      const std::optional<Money>& cost) {
  RunWeek week;
  week.run = run.run;
  week.experiment = run.experiment;
  GpuHours held;
  for (const TimePiece& piece : run.account.pieces) {
    const Window part = Intersect(piece.held, window);
    if (part.empty()) continue;
    const GpuHours time = GpuMillis(piece.gpus * part.length().base());
    week.time[static_cast<std::size_t>(piece.cause)] += time;
    held += time;
  }
  if (held == GpuHours()) return std::optional<RunWeek>();
  GpuHours lost;
  for (const TrainingFailure& failure : run.account.failures) {
    if (!window.contains(failure.at)) continue;
    ++week.failures;
    lost += failure.Loss();
  }
  const Lineage lineage(run.account.log);
  for (const EventAt& at : lineage.steps()) {
    const TrainingEvent& step = run.account.log.attempts[at.attempt].events[at.event];
    if (!window.contains(step.at - Millis(1))) continue;  // its work lies before its end
    AddTo(week.samples, step.samples);
    AddTo(week.tokens, step.tokens);
  }
  week.cost = cost;
  if (cost) {
    const UnitPrice<GpuHours> price{*cost, held};
    const GpuHours repeated = week.time[static_cast<std::size_t>(TimeCause::kRecomputation)];
    PLIMSOLL_TRY(week.recomputation, CostOf(repeated, price, Rounding::kHalfEven));
    PLIMSOLL_TRY(week.failure_loss, CostOf(lost, price, Rounding::kHalfEven));
  }
  return std::optional(std::move(week));
}

// The runs of one currency, week by week, as points of both units.
void AddPoints(const std::vector<RunWeek>& runs, const Window& window, UnitSeries& samples,
               UnitSeries& tokens) {
  UnitPoint by_samples{window, {}}, by_tokens{window, {}};
  for (const RunWeek& run : runs) {
    if (!run.cost) continue;
    const std::string& segment = run.experiment.empty() ? run.run : run.experiment;
    GpuHours held;
    for (const GpuHours part : run.time) held += part;
    const auto add = [&](UnitPoint& point, const std::optional<std::int64_t>& output) {
      if (!output) return;
      SegmentOutput& sum = point.segments[segment];
      sum.output += *output;
      sum.gpu_time += held;
      sum.cost += *run.cost;
    };
    add(by_samples, run.samples);
    add(by_tokens, run.tokens);
  }
  samples.points.push_back(std::move(by_samples));
  tokens.points.push_back(std::move(by_tokens));
}

// Weeks before the first output say nothing; a series that has none this week is left out.
void Keep(UnitSeries series, std::vector<UnitSeries>& all) {
  const auto has_output = [](const UnitPoint& point) {
    return std::any_of(point.segments.begin(), point.segments.end(),
                       [](const auto& segment) { return segment.second.output > 0; });
  };
  const auto first = std::find_if(series.points.begin(), series.points.end(), has_output);
  series.points.erase(series.points.begin(), first);
  if (!series.points.empty() && has_output(series.points.back())) all.push_back(std::move(series));
}

// Adds a run to its experiment; runs of another currency are not compared in cost.
void AddTo(ExperimentWeek& week, const PricedRun& run, const std::string& currency) {
  ++week.runs;
  week.reached += run.reached.at ? 1 : 0;
  if (!run.cost_to_target || run.currency != currency) return;
  if (week.cost_to_target && *week.cost_to_target <= *run.cost_to_target) return;
  week.cost_to_target = run.cost_to_target;
  week.cheapest = run.run;
}

// Of the experiments of which a run lies in `week`. REQUIRES: runs by experiment.
std::vector<ExperimentWeek> ExperimentsOf(const std::vector<PricedRun>& runs, const UnitWeek& week,
                                          const std::string& currency) {
  std::set<std::string> present;
  for (const RunWeek& run : week.runs) present.insert(run.experiment);
  std::vector<ExperimentWeek> experiments;
  std::optional<ExactDecimal> best;
  for (const PricedRun& run : runs) {
    if (!run.target || run.experiment.empty() || !present.contains(run.experiment)) continue;
    if (experiments.empty() || experiments.back().experiment != run.experiment) {
      experiments.emplace_back();
      experiments.back().experiment = run.experiment;
      experiments.back().target = ToString(*run.target);
      best.reset();
    }
    AddTo(experiments.back(), run, currency);
    const std::optional<ExactDecimal>& quality = run.reached.quality;
    if (!quality) continue;
    if (best && (run.target->at_most ? *best <= *quality : *best >= *quality)) continue;
    best = quality;
    experiments.back().quality = quality->ToString();
  }
  return experiments;
}

Status AddRuns(Context& context, const std::vector<Window>& windows, UnitWeek& week) {
  TrainingQuestion question;
  question.with_ledger = true;
  question.windows = windows;
  PLIMSOLL_TRY(const std::vector<PricedRun> runs, AnswerTraining(context, question));
  UnitSeries samples{"million_samples", "1M samples", "experiment", 1'000'000, {}};
  UnitSeries tokens{"billion_tokens", "1B tokens", "experiment", 1'000'000'000, {}};
  for (std::size_t w = 0; w < windows.size(); ++w) {
    week.runs.clear();
    for (const PricedRun& run : runs) {
      PLIMSOLL_TRY(std::optional<RunWeek> part, WeekOf(run, windows[w], run.window_costs[w]));
      if (part) week.runs.push_back(std::move(*part));
    }
    AddPoints(week.runs, windows[w], samples, tokens);
  }
  PLIMSOLL_TRY(const Config* const config, context.config());
  week.experiments = ExperimentsOf(runs, week, config->currency);
  Keep(std::move(samples), week.training);
  Keep(std::move(tokens), week.training);
  return Ok();
}

Result<std::vector<ServiceFigures>> ServicesOf(Context& context, const Config& config,
                                               const Window& window) {
  InferenceFoldOptions options;
  options.services = config.services;
  options.peak_of = CalendarOf;
  options.window = window;
  InferenceFold fold(options);
  const Status read = FoldStored(context, options, fold);
  if (!read && read.error().code == ErrorCode::kNotFound) return std::vector<ServiceFigures>();
  PLIMSOLL_RETURN_IF_ERROR(read);
  const FoldedRequests folded = fold.Finish();
  PLIMSOLL_TRY(const auto paid, PaidOf(context, options, folded));
  return PriceRequests(folded, paid);
}

ServiceWeek WeekOf(const ServiceFigures& figures) {
  ServiceWeek week;
  week.service = figures.service.declared.name;
  week.requests = figures.sums.all.requests;
  week.good = figures.sums.good.requests;
  week.tokens = figures.sums.all.output;
  week.tokens_good = figures.sums.good.output;
  week.cost = figures.sums.cost;
  week.missed = figures.sums.cost_missed;
  week.per_million = figures.sums.PerMillionOutput();
  week.per_million_good = figures.sums.PerMillionGoodOutput();
  week.goodput = PerSecond(week.good, figures.window_ns());
  if (figures.factors) {
    const CostFactors& factors = *figures.factors;
    week.factors = ServiceFactors{factors.base.ToDecimal(9),    factors.idle.ToDecimal(4),
                                  factors.slo.ToDecimal(4),     factors.reserve.ToDecimal(4),
                                  factors.release.ToDecimal(4), factors.safe_declared};
  }
  return week;
}

Status AddServices(Context& context, const Config& config, const std::vector<Window>& windows,
                   UnitWeek& week) {
  PLIMSOLL_RETURN_IF_ERROR(CheckZones(config.services));
  UnitSeries tokens{"good_tokens", "1M good output tokens", "service", 1'000'000, {}};
  for (const Window& window : windows) {
    PLIMSOLL_TRY(const std::vector<ServiceFigures> services, ServicesOf(context, config, window));
    week.services.clear();
    UnitPoint point{window, {}};
    for (const ServiceFigures& figures : services) {
      if (figures.sums.all.requests == 0) continue;
      week.services.push_back(WeekOf(figures));
      if (!figures.paid) continue;
      point.segments[week.services.back().service] = {
          week.services.back().tokens_good,
          GpuMillis(static_cast<std::int64_t>(figures.paid->gpu_ns / 1'000'000)),
          figures.paid->cost};
    }
    tokens.points.push_back(std::move(point));
  }
  Keep(std::move(tokens), week.inference);
  return Ok();
}

}  // namespace

Result<UnitWeek> GatherUnitWeek(Context& context, Window window) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  PLIMSOLL_TRY(Store* const store, context.existing_store());
  UnitWeek week;
  week.band = {config->unit_alerts.band_percent, config->unit_alerts.weeks};
  const std::vector<Window> windows = WindowsBefore(window, week.band.windows);
  PLIMSOLL_TRY(const bool has_runs, HasRows(*store, "run"));
  if (has_runs) PLIMSOLL_RETURN_IF_ERROR(AddRuns(context, windows, week));
  PLIMSOLL_TRY(const bool has_requests, HasRows(*store, "request"));
  if (has_requests) PLIMSOLL_RETURN_IF_ERROR(AddServices(context, *config, windows, week));
  return week;
}

}  // namespace plimsoll
