#include <algorithm>

#include "report/render.h"
#include "report/weekly_parts.h"

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

ReportTable RunTable(const UnitWeek& week) {
  ReportTable table{"run_economics",
                    "Runs by cost: what lies in the week",
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

ReportTable CauseTable(const UnitWeek& week) {
  ReportTable table{"run_time",
                    "Where the runs' GPU-hours went; they add up to what the runs held",
                    {{"cause", "Cause"},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"share", "Share", ValueKind::kPercent}},
                    {},
                    {}};
  std::array<GpuHours, kTimeCauseCount> sums{};
  GpuHours held;
  for (const RunWeek& run : week.runs) {
    for (std::size_t i = 0; i < kTimeCauseCount; ++i) sums[i] += run.time[i];
    held += HeldOf(run);
  }
  for (std::size_t i = 0; i < kTimeCauseCount; ++i) {
    if (sums[i] == GpuHours()) continue;
    table.rows.push_back(
        {kTimeCauseNames[i], HoursCell(sums[i]), PercentOf(sums[i].base(), held.base())});
  }
  table.rows.push_back({"all", HoursCell(held), PercentOf(held.base(), held.base())});
  return table;
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
                          service.goodput});
  }
  return table;
}

}  // namespace

Status AddRunEconomics(const Ask& ask, const UnitWeek& week, ReportSection& section) {
  if (week.runs.empty()) return Ok();
  GpuHours held, effective;
  Money recomputation, loss;
  std::int64_t failures = 0, priced = 0;
  for (const RunWeek& run : week.runs) {
    held += HeldOf(run);
    effective += EffectiveOf(run);
    failures += run.failures;
    recomputation += run.recomputation.value_or(Money());
    loss += run.failure_loss.value_or(Money());
    priced += run.cost ? 1 : 0;
  }
  const auto count = static_cast<std::int64_t>(week.runs.size());
  const std::string without =
      priced == count ? "" : std::to_string(count - priced) + " runs join no cost line";
  ReportFact& hours = FactNamed(section, "gpu_hours_effective", "Effective GPU-hours",
                                ValueKind::kHours, "GPU-hours");
  hours.value = HoursCell(effective);
  hours.note = PercentOf(effective.base(), held.base()).value_or("0.0") + " % of the " +
               Display(ValueKind::kHours, ToDecimalHours(held)) + " that " + std::to_string(count) +
               " run logs tell of";
  const Value none = std::nullopt;
  ReportFact& repeated = FactNamed(section, "recomputation_cost", "Recomputation after failures",
                                   ValueKind::kMoney, ask.currency());
  repeated.value = priced > 0 ? MoneyCell(recomputation) : none;
  repeated.note = without;
  ReportFact& lost =
      FactNamed(section, "failure_loss", "Lost by failures", ValueKind::kMoney, ask.currency());
  lost.value = priced > 0 ? MoneyCell(loss) : none;
  lost.note = std::to_string(failures) + " failures: work since the last checkpoint, and restarts";
  for (const UnitSeries& series : week.training) {
    PLIMSOLL_TRY(const std::optional<Money> now, NowOf(series));
    ReportFact& fact = FactNamed(section, "cost_per_" + series.key, "Cost of " + series.label,
                                 ValueKind::kMoney, ask.currency());
    fact.value = MoneyOf(now);
    fact.note = "on steps that were kept";
  }
  section.tables.push_back(RunTable(week));
  section.tables.push_back(CauseTable(week));
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
  unit.note = PercentOf(good, requests).value_or("0.0") + " % of " + std::to_string(requests) +
              " requests were good";
  for (const UnitSeries& series : week.inference) {
    PLIMSOLL_TRY(const std::optional<Money> now, NowOf(series));
    unit.value = MoneyOf(now);
  }
  ReportFact& rate = FactNamed(section, "throughput_in_slo", "Throughput that meets its SLO",
                               ValueKind::kDecimal, "requests/s");
  const int128 seconds = std::max<std::int64_t>(1, ask.window().length().base() / 1'000);
  const int128 milli = DivideHalfEven(int128{good} * 1'000, seconds);
  rate.value = Money::FromNanos(milli * 1'000'000)
                   .ToString()
                   .substr(0, Money::FromNanos(milli * 1'000'000).ToString().size() - 6);
  rate.note = "over the whole week";
  section.tables.push_back(ServiceTable(week));
  section.connect.clear();
  return AddSeries(ask, week.inference, section);
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
