#include <algorithm>

#include "report/render.h"
#include "report/weekly_parts.h"
#include "units/split.h"

namespace plimsoll {
namespace {

constexpr std::size_t kRowsMax = 12;

ReportFact& FactNamed(ReportSection& section, const std::string& key, const std::string& label,
                      ValueKind kind, const std::string& unit) {
  for (ReportFact& fact : section.facts) {
    if (fact.key == key) return fact;
  }
  section.facts.push_back({key, label, kind, std::nullopt, unit, "", ""});
  return section.facts.back();
}

Value MoneyOf(const std::optional<Money>& money) {
  return money ? Value(money->ToString()) : std::nullopt;
}

Value CountOf(const std::optional<std::int64_t>& count) {
  return count ? Value(std::to_string(*count)) : std::nullopt;
}

Result<std::optional<Money>> NowOf(const UnitSeries& series) {
  if (series.points.empty()) return std::optional<Money>();
  return UnitCostOf(series.points.back().segments, series.block);
}

std::string Signed(std::int64_t permille) {
  const std::int64_t magnitude = permille < 0 ? -permille : permille;
  return (permille < 0 ? "-" : "+") + std::to_string(magnitude / 10) + "." +
         std::to_string(magnitude % 10) + " %";
}

// Of the last two weeks: by which cause the cost moved. Without two weeks of output, nothing.
Status AddChange(const Ask& ask, const UnitSeries& series, ReportSection& section) {
  if (series.points.size() < 2) return Ok();
  const UnitPoint& before = series.points[series.points.size() - 2];
  const Result<ChangeEffects> effects = EffectsOf(before.segments, series.points.back().segments);
  if (!effects) {
    return effects.error().code == ErrorCode::kInvalidArgument ? Ok() : Status(effects.error());
  }
  ReportTable table{"change_" + series.key,
                    "Why the cost of " + series.label + " moved since the week before, in " +
                        ask.currency() + " of the week; the effects add up to the change",
                    {{"effect", "Effect"}, {"amount", "Amount", ValueKind::kMoney}, {"is", "Is"}},
                    {},
                    {}};
  const auto add = [&](const char* effect, Money amount, const std::string& is) {
    table.rows.push_back({effect, MoneyCell(amount), is});
  };
  add("before", effects->before, "cost of the week before");
  add("volume", effects->volume, "more or less output, at the old unit cost");
  add("mix", effects->mix, "output moved between the " + series.segments + "s");
  add("efficiency", effects->efficiency, "GPU-time for a unit of output");
  add("price", effects->price, "cost of a GPU-hour");
  add("after", effects->after, "cost of this week");
  section.tables.push_back(std::move(table));
  return Ok();
}

// Week by week; a week without output has no unit cost.
Status AddTrend(const Ask& ask, const UnitSeries& series, ReportSection& section) {
  if (series.points.size() < 2) return Ok();
  ReportTable table{"trend_" + series.key,
                    "Cost of " + series.label + ", week by week",
                    {{"week", "Week from"},
                     {"output", "Output", ValueKind::kCount},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"cost", "Cost", ValueKind::kMoney},
                     {"unit_cost", "Unit cost", ValueKind::kMoney}},
                    {},
                    {}};
  ReportChart chart{table.key, "", ask.currency(), {}, {{series.label, {}}}};
  for (const UnitPoint& point : series.points) {
    SegmentOutput sum;
    for (const auto& [name, segment] : point.segments) {
      sum.output += segment.output;
      sum.gpu_time += segment.gpu_time;
      sum.cost += segment.cost;
    }
    PLIMSOLL_TRY(const std::optional<Money> unit, UnitCostOf(point.segments, series.block));
    const std::string week = ToDateString(point.window.begin);
    table.rows.push_back({week, std::to_string(sum.output), HoursCell(sum.gpu_time),
                          MoneyCell(sum.cost), MoneyOf(unit)});
    if (!unit) continue;
    chart.categories.push_back(week);
    chart.series.front().values.push_back(unit->ToString());
  }
  chart.caption = table.caption;
  if (chart.categories.size() > 1) section.charts.push_back(std::move(chart));
  section.tables.push_back(std::move(table));
  return Ok();
}

Status AddSeries(const Ask& ask, const std::vector<UnitSeries>& all, ReportSection& section) {
  for (const UnitSeries& series : all) {
    PLIMSOLL_RETURN_IF_ERROR(AddTrend(ask, series, section));
    PLIMSOLL_RETURN_IF_ERROR(AddChange(ask, series, section));
  }
  return Ok();
}

GpuHours HeldOf(const RunWeek& run) {
  GpuHours held;
  for (const GpuHours part : run.time) held += part;
  return held;
}

GpuHours EffectiveOf(const RunWeek& run) {
  return run.time[static_cast<std::size_t>(TimeCause::kEffective)];
}

// Of all runs; money is of those that join cost lines.
struct RunSums {
  GpuHours held, effective;
  Money recomputation, failure_loss;
  std::int64_t failures = 0, priced = 0;
};

RunSums SumsOf(const std::vector<RunWeek>& runs) {
  RunSums sums;
  for (const RunWeek& run : runs) {
    sums.held += HeldOf(run);
    sums.effective += EffectiveOf(run);
    sums.failures += run.failures;
    sums.recomputation += run.recomputation.value_or(Money());
    sums.failure_loss += run.failure_loss.value_or(Money());
    sums.priced += run.cost ? 1 : 0;
  }
  return sums;
}

ReportTable RunTable(const UnitWeek& week) {
  std::string caption = "Runs by cost: what lies in the week";
  if (week.runs.size() > kRowsMax) {
    caption += "; the " + std::to_string(kRowsMax) + " that cost most of " +
               std::to_string(week.runs.size());
  }
  ReportTable table{"run_economics",
                    std::move(caption),
                    {{"run", "Run"},
                     {"experiment", "Experiment"},
                     {"gpu_hours", "Held", ValueKind::kHours},
                     {"gpu_hours_effective", "Effective", ValueKind::kHours},
                     {"ettr", "Effective share", ValueKind::kPercent},
                     {"failures", "Failures", ValueKind::kCount},
                     {"failure_loss", "Lost by failures", ValueKind::kMoney},
                     {"samples", "Samples kept", ValueKind::kCount},
                     {"cost", "Cost", ValueKind::kMoney}},
                    {},
                    {}};
  std::vector<const RunWeek*> runs;
  for (const RunWeek& run : week.runs) runs.push_back(&run);
  std::stable_sort(runs.begin(), runs.end(), [](const RunWeek* a, const RunWeek* b) {
    return a->cost.value_or(Money()) > b->cost.value_or(Money());
  });
  for (const RunWeek* run : runs) {
    if (table.rows.size() == kRowsMax) break;
    const GpuHours held = HeldOf(*run);
    table.rows.push_back({run->run, run->experiment, HoursCell(held), HoursCell(EffectiveOf(*run)),
                          PercentOf(EffectiveOf(*run).base(), held.base()),
                          std::to_string(run->failures), MoneyOf(run->failure_loss),
                          CountOf(run->samples), MoneyOf(run->cost)});
  }
  return table;
}

constexpr const char* kTimeCauseMeanings[kTimeCauseCount] = {
    "steps that are in the model",
    "before the first step: images, loading, compiling",
    "waiting for data",
    "saving while training stood still",
    "steps that were lost, or that a failure broke off",
    "no progress before a failure",
    "from a failure to the next step",
    "the log does not say"};

// Hours and cost by cause. A run's cost goes to its causes by their time, to the last nano.
Result<ReportTable> CauseTable(const UnitWeek& week) {
  ReportTable table{"run_time",
                    "Where the runs' GPU-hours went; they add up to what the runs held",
                    {{"cause", "Cause"},
                     {"is", "Is"},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"share", "Share", ValueKind::kPercent},
                     {"cost", "Cost", ValueKind::kMoney}},
                    {},
                    {}};
  std::array<GpuHours, kTimeCauseCount> sums{};
  std::array<Money, kTimeCauseCount> costs{};
  GpuHours held;
  Money cost;
  bool is_priced = false;
  for (const RunWeek& run : week.runs) {
    std::array<std::int64_t, kTimeCauseCount> weights{};
    for (std::size_t i = 0; i < kTimeCauseCount; ++i) {
      sums[i] += run.time[i];
      weights[i] = run.time[i].base();
    }
    held += HeldOf(run);
    if (!run.cost) continue;
    is_priced = true;
    cost += *run.cost;
    PLIMSOLL_TRY(const std::vector<Money> parts, SplitByWeight(*run.cost, weights));
    for (std::size_t i = 0; i < kTimeCauseCount; ++i) costs[i] += parts[i];
  }
  const auto priced = [&](Money money) { return is_priced ? MoneyCell(money) : std::nullopt; };
  for (std::size_t i = 0; i < kTimeCauseCount; ++i) {
    if (sums[i] == GpuHours()) continue;
    table.rows.push_back({kTimeCauseNames[i], kTimeCauseMeanings[i], HoursCell(sums[i]),
                          PercentOf(sums[i].base(), held.base()), priced(costs[i])});
  }
  table.rows.push_back(
      {"all", "", HoursCell(held), PercentOf(held.base(), held.base()), priced(cost)});
  return table;
}

ReportTable ExperimentTable(const UnitWeek& week) {
  ReportTable table{
      "experiments",
      "What each experiment's target cost to reach, lost work included; of whole runs",
      {{"experiment", "Experiment"},
       {"target", "Target"},
       {"runs", "Runs", ValueKind::kCount},
       {"reached", "Reached it", ValueKind::kCount},
       {"quality", "Best held", ValueKind::kDecimal},
       {"cheapest", "For the least cost"},
       {"cost_to_target", "Cost to target", ValueKind::kMoney}},
      {},
      {}};
  for (const ExperimentWeek& one : week.experiments) {
    if (table.rows.size() == kRowsMax) break;
    table.rows.push_back({one.experiment, one.target, std::to_string(one.runs),
                          std::to_string(one.reached), one.quality, one.cheapest,
                          MoneyOf(one.cost_to_target)});
  }
  return table;
}

// "0.039214616" -> "0.039", half to even.
std::string ToThreePlaces(int128 nanos) {
  const std::string text =
      Money::FromNanos(DivideHalfEven(nanos, 1'000'000) * 1'000'000).ToString();
  return text.substr(0, text.size() - 6);
}

Value RateOf(const std::optional<std::string>& decimal) {
  if (!decimal) return std::nullopt;
  const Result<Money> nanos = Money::Parse(*decimal);
  return nanos ? Value(ToThreePlaces(nanos->nanos())) : Value(*decimal);
}

ReportTable ServiceTable(const UnitWeek& week) {
  ReportTable table{"service_economics",
                    "Services: requests, tokens and what a million of them cost",
                    {{"service", "Service"},
                     {"requests", "Requests", ValueKind::kCount},
                     {"good_share", "Good", ValueKind::kPercent},
                     {"tokens", "Output tokens", ValueKind::kCount},
                     {"cost", "Cost", ValueKind::kMoney},
                     {"missed", "Spent on misses", ValueKind::kMoney},
                     {"per_million", "Per 1M", ValueKind::kMoney},
                     {"per_million_good", "Per 1M good", ValueKind::kMoney},
                     {"goodput", "Good requests/s", ValueKind::kDecimal}},
                    {},
                    {}};
  for (const ServiceWeek& service : week.services) {
    if (table.rows.size() == kRowsMax) break;
    table.rows.push_back({service.service, std::to_string(service.requests),
                          PercentOf(service.good, service.requests), std::to_string(service.tokens),
                          MoneyOf(service.cost), MoneyOf(service.missed),
                          MoneyOf(service.per_million), MoneyOf(service.per_million_good),
                          RateOf(service.goodput)});
  }
  return table;
}

ReportTable FactorTable(const UnitWeek& week) {
  ReportTable table{"service_factors",
                    "Why 1M good output tokens cost that: base x idle x SLO x reserve x release",
                    {{"service", "Service"},
                     {"base", "Base", ValueKind::kMoney},
                     {"base_is", "Base is"},
                     {"idle", "Idle", ValueKind::kDecimal},
                     {"slo", "SLO", ValueKind::kDecimal},
                     {"reserve", "Reserve", ValueKind::kDecimal},
                     {"release", "Release", ValueKind::kDecimal},
                     {"per_million_good", "Per 1M good", ValueKind::kMoney}},
                    {},
                    {}};
  for (const ServiceWeek& service : week.services) {
    if (!service.factors || table.rows.size() == kRowsMax) continue;
    const ServiceFactors& factors = *service.factors;
    table.rows.push_back({service.service, factors.base,
                          factors.is_safe_declared ? "at the safe rate" : "while any request ran",
                          factors.idle, factors.slo, factors.reserve, factors.release,
                          MoneyOf(service.per_million_good)});
  }
  return table;
}

}  // namespace

Status AddRunEconomics(const Ask& ask, const UnitWeek& week, ReportSection& section) {
  if (week.runs.empty()) return Ok();
  const RunSums sums = SumsOf(week.runs);
  const auto count = static_cast<std::int64_t>(week.runs.size());
  const std::string without =
      sums.priced == count ? "" : std::to_string(count - sums.priced) + " runs join no cost line";
  ReportFact& hours = FactNamed(section, "gpu_hours_effective", "Effective GPU-hours",
                                ValueKind::kHours, "GPU-hours");
  hours.value = HoursCell(sums.effective);
  hours.note = PercentOf(sums.effective.base(), sums.held.base()).value_or("0.0") + " % of the " +
               Display(ValueKind::kHours, ToDecimalHours(sums.held)) + " that " +
               std::to_string(count) + " run logs tell of";
  const Value none = std::nullopt;
  ReportFact& repeated = FactNamed(section, "recomputation_cost", "Recomputation after failures",
                                   ValueKind::kMoney, ask.currency());
  repeated.value = sums.priced > 0 ? MoneyCell(sums.recomputation) : none;
  repeated.note = without;
  ReportFact& lost =
      FactNamed(section, "failure_loss", "Lost by failures", ValueKind::kMoney, ask.currency());
  lost.value = sums.priced > 0 ? MoneyCell(sums.failure_loss) : none;
  lost.note =
      std::to_string(sums.failures) + " failures: work since the last checkpoint, and restarts";
  for (const UnitSeries& series : week.training) {
    PLIMSOLL_TRY(const std::optional<Money> now, NowOf(series));
    ReportFact& fact = FactNamed(section, "cost_per_" + series.key, "Cost of " + series.label,
                                 ValueKind::kMoney, ask.currency());
    fact.value = MoneyOf(now);
    fact.note = week.experiments.size() > 1 ? "on steps that were kept, of all experiments"
                                            : "on steps that were kept";
  }
  section.tables.push_back(RunTable(week));
  PLIMSOLL_TRY(ReportTable causes, CauseTable(week));
  section.tables.push_back(std::move(causes));
  if (!week.experiments.empty()) section.tables.push_back(ExperimentTable(week));
  section.connect.clear();
  return AddSeries(ask, week.training, section);
}

Status AddServiceEconomics(const Ask& ask, const UnitWeek& week, ReportSection& section) {
  if (week.services.empty()) return Ok();
  std::int64_t requests = 0, good = 0;
  for (const ServiceWeek& service : week.services) {
    requests += service.requests;
    good += service.good;
  }
  ReportFact& unit = FactNamed(section, "cost_per_million_tokens", "Cost per 1M good tokens",
                               ValueKind::kMoney, ask.currency());
  unit.note = PercentOf(good, requests).value_or("0.0") + " % of " +
              Display(ValueKind::kCount, std::to_string(requests)) + " requests were good";
  for (const UnitSeries& series : week.inference) {
    PLIMSOLL_TRY(const std::optional<Money> now, NowOf(series));
    unit.value = MoneyOf(now);
  }
  ReportFact& rate = FactNamed(section, "throughput_in_slo", "Throughput that meets its SLO",
                               ValueKind::kDecimal, "requests/s");
  const int128 seconds = std::max<std::int64_t>(1, ask.window().length().base() / 1'000);
  rate.value = ToThreePlaces(DivideHalfEven(int128{good} * Money::kNanosPerUnit, seconds));
  rate.note = "over the whole week";
  section.tables.push_back(ServiceTable(week));
  ReportTable factors = FactorTable(week);
  if (!factors.rows.empty()) section.tables.push_back(std::move(factors));
  section.connect.clear();
  return AddSeries(ask, week.inference, section);
}

Result<std::vector<std::string>> UnitSentences(const Ask& ask, const UnitWeek& week) {
  std::vector<std::string> sentences;
  const auto money = [&](Money amount) {
    return Display(ValueKind::kMoney, amount.ToString()) + " " + ask.currency();
  };
  if (!week.runs.empty()) {
    const RunSums sums = SumsOf(week.runs);
    sentences.push_back(std::to_string(week.runs.size()) +
                        (week.runs.size() == 1 ? " training run" : " training runs") + " spent " +
                        PercentOf(sums.effective.base(), sums.held.base()).value_or("0.0") +
                        " % of " + Display(ValueKind::kHours, ToDecimalHours(sums.held)) +
                        " GPU-hours on steps that were kept");
    if (sums.priced > 0) sentences.back() += "; failures lost " + money(sums.failure_loss);
    sentences.back() += ".";
  }
  std::int64_t requests = 0, good = 0;
  for (const ServiceWeek& service : week.services) {
    requests += service.requests;
    good += service.good;
  }
  if (requests == 0) return sentences;
  std::string sentence = PercentOf(good, requests).value_or("0.0") + " % of " +
                         Display(ValueKind::kCount, std::to_string(requests)) +
                         " requests were good";
  for (const UnitSeries& series : week.inference) {
    PLIMSOLL_TRY(const std::optional<Money> now, NowOf(series));
    if (now) sentence += "; " + series.label + " cost " + money(*now);
  }
  sentences.push_back(sentence + ".");
  return sentences;
}

Result<std::vector<std::string>> UnitAlerts(const Ask& ask, const UnitWeek& week) {
  std::vector<std::string> alerts;
  for (const std::vector<UnitSeries>* all : {&week.training, &week.inference}) {
    for (const UnitSeries& series : *all) {
      PLIMSOLL_TRY(const std::optional<UnitMove> move,
                   MoveOf(series.points, series.block, week.band));
      if (!move || !move->is_alert) continue;
      alerts.push_back(
          "The cost of " + series.label + " moved by " + Signed(move->permille) +
          " against the weeks before: " + Display(ValueKind::kMoney, move->now.ToString()) + " " +
          ask.currency() + " after " + Display(ValueKind::kMoney, move->usual.ToString()) +
          "; its band is " + std::to_string(week.band.percent) + " %.");
    }
  }
  return alerts;
}

}  // namespace plimsoll
