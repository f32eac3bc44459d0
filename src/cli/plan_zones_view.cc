#include "cli/plan_zones_view.h"

#include <algorithm>

#include "cli/plan_input.h"
#include "config/duration.h"

namespace plimsoll {
namespace {

Cell Text(const std::string& text) { return text.empty() ? std::nullopt : Cell(text); }

Cell Part(const std::optional<std::int64_t>& billionths) {
  return billionths ? Cell(BillionthsText(*billionths)) : std::nullopt;
}

Cell HoursCell(const std::optional<Duration>& duration) {
  return duration ? Cell(HoursText(*duration)) : std::nullopt;
}

Cell ProbabilityOf(const std::optional<Survival>& survival) {
  return survival ? Cell(BillionthsText(survival->probability)) : std::nullopt;
}

// The provider warns so long before it takes an instance; 0: it does not.
Cell NoticeOf(const std::string& cloud) {
  if (cloud == "aws") return "120";
  if (cloud == "gcp" || cloud == "azure") return "30";
  if (cloud == "runpod") return "0";
  return std::nullopt;
}

Row KeyOf(const PoolEvidence& evidence) {
  return {Text(evidence.pool.cloud), Text(evidence.pool.zone), Text(evidence.pool.sku),
          kSpotObservationNames[static_cast<std::size_t>(evidence.observed)]};
}

// Without single lives the only figure is that of the rate.
bool IsByRate(const PoolEvidence& evidence, const PoolFigures& figures) {
  return evidence.up.time.empty() && figures.exponential.has_value();
}

void AddProbabilities(const PlanZonesView& view, const PoolFigures& figures, Row& row) {
  if (figures.interval || figures.run || !figures.exponential) {
    row.push_back(ProbabilityOf(figures.interval));
    row.push_back(ProbabilityOf(figures.run));
    row.push_back(figures.run ? Cell(BillionthsText(figures.run->low)) : std::nullopt);
    return;
  }
  const ExponentialFit& fit = *figures.exponential;
  row.push_back(BillionthsText(ExponentialSurvival(fit.mean, view.interval)));
  row.push_back(BillionthsText(ExponentialSurvival(fit.mean, view.run)));
  row.push_back(BillionthsText(ExponentialSurvival(fit.mean_low, view.run)));
}

Table ZoneTable(const PlanZonesView& view) {
  Table table;
  table.name = "zones";
  table.title = "Survival of an interval of " + FormatDuration(view.interval) + " and a run of " +
                FormatDuration(view.run) + "; ranked by what the data vouch for";
  table.columns = {{"rank", CellKind::kNumber},
                   {"cloud"},
                   {"zone"},
                   {"sku"},
                   {"observed"},
                   {"p_interval", CellKind::kNumber, 3},
                   {"p_run", CellKind::kNumber, 3},
                   {"p_run_low", CellKind::kNumber, 3},
                   {"price", CellKind::kMoney, 4}};
  for (std::size_t i = 0; i < view.evidence.size(); ++i) {
    const PoolFigures& figures = view.figures[i];
    Row row{std::to_string(figures.rank)};
    for (Cell& cell : KeyOf(view.evidence[i])) row.push_back(std::move(cell));
    AddProbabilities(view, figures, row);
    row.push_back(figures.price ? Cell(figures.price->ToString()) : std::nullopt);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table UptimeTable(const PlanZonesView& view) {
  Table table;
  table.name = "uptime";
  table.title = "Up and down";
  table.columns = {{"cloud"},
                   {"zone"},
                   {"sku"},
                   {"observed"},
                   {"availability", CellKind::kNumber, 3},
                   {"up_hours", CellKind::kDecimal, 2},
                   {"down_hours", CellKind::kDecimal, 2},
                   {"runs", CellKind::kNumber},
                   {"ended", CellKind::kNumber},
                   {"preemption_rate", CellKind::kNumber, 4},
                   {"notice_seconds", CellKind::kNumber}};
  for (std::size_t i = 0; i < view.evidence.size(); ++i) {
    const PoolEvidence& evidence = view.evidence[i];
    const PoolFigures& figures = view.figures[i];
    const bool held = evidence.observed == SpotObservation::kHeld;
    Row row = KeyOf(evidence);
    row.push_back(Part(figures.availability));
    row.push_back(HoursCell(figures.mean_up));
    row.push_back(HoursCell(figures.mean_down));
    row.push_back(std::to_string(evidence.up.time.size()));
    row.push_back(std::to_string(evidence.up.ends()));
    row.push_back(held ? Part(figures.taken_per_instance_hour) : std::nullopt);
    row.push_back(NoticeOf(evidence.pool.cloud));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table SurvivalTable(const PlanZonesView& view) {
  Table table;
  table.name = "survival";
  table.title = "Survival, with 95 % intervals (Kaplan-Meier, Greenwood) and as fitted";
  table.columns = {{"cloud"},
                   {"zone"},
                   {"sku"},
                   {"observed"},
                   {"time"},
                   {"probability", CellKind::kNumber, 3},
                   {"low", CellKind::kNumber, 3},
                   {"high", CellKind::kNumber, 3},
                   {"at_risk", CellKind::kNumber},
                   {"weibull", CellKind::kNumber, 3},
                   {"exponential", CellKind::kNumber, 3}};
  for (std::size_t i = 0; i < view.evidence.size(); ++i) {
    const PoolFigures& figures = view.figures[i];
    for (const auto& [time, survival] :
         {std::pair{view.interval, &figures.interval}, std::pair{view.run, &figures.run}}) {
      Row row = KeyOf(view.evidence[i]);
      row.push_back(FormatDuration(time));
      const bool known = survival->has_value();
      row.push_back(ProbabilityOf(*survival));
      row.push_back(known ? Cell(BillionthsText((*survival)->low)) : std::nullopt);
      row.push_back(known ? Cell(BillionthsText((*survival)->high)) : std::nullopt);
      row.push_back(known ? Cell(std::to_string((*survival)->at_risk)) : std::nullopt);
      row.push_back(figures.weibull
                        ? Cell(BillionthsText(WeibullSurvival(*figures.weibull, {}, time)))
                        : std::nullopt);
      row.push_back(figures.exponential
                        ? Cell(BillionthsText(ExponentialSurvival(figures.exponential->mean, time)))
                        : std::nullopt);
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Cell NumberOf(const std::int64_t* billionths) {
  return billionths != nullptr ? Cell(BillionthsText(*billionths)) : std::nullopt;
}

Table FitTable(const PlanZonesView& view) {
  Table table;
  table.name = "fits";
  table.title = "Mean time between preemptions and Weibull shape k, 95 % profile likelihood";
  table.columns = {{"cloud"},
                   {"zone"},
                   {"sku"},
                   {"observed"},
                   {"mtbf.hours", CellKind::kDecimal, 2},
                   {"mtbf.low", CellKind::kDecimal, 2},
                   {"mtbf.high", CellKind::kDecimal, 2},
                   {"weibull.k", CellKind::kNumber, 2},
                   {"weibull.low", CellKind::kNumber, 2},
                   {"weibull.high", CellKind::kNumber, 2},
                   {"weibull.scale", CellKind::kDecimal, 2}};
  for (std::size_t i = 0; i < view.evidence.size(); ++i) {
    Row row = KeyOf(view.evidence[i]);
    const auto& mean = view.figures[i].exponential;
    const auto& weibull = view.figures[i].weibull;
    for (const auto part :
         {&ExponentialFit::mean, &ExponentialFit::mean_low, &ExponentialFit::mean_high}) {
      row.push_back(mean ? Cell(HoursText((*mean).*part)) : std::nullopt);
    }
    for (const auto part : {&WeibullFit::shape, &WeibullFit::shape_low, &WeibullFit::shape_high}) {
      row.push_back(NumberOf(weibull ? &((*weibull).*part) : nullptr));
    }
    row.push_back(weibull ? Cell(HoursText(weibull->scale)) : std::nullopt);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table GoodnessTable(const PlanZonesView& view) {
  Table table;
  table.name = "goodness";
  table.title = "Goodness of the fits: the lower AIC is the better one";
  table.columns = {{"cloud"},
                   {"zone"},
                   {"sku"},
                   {"observed"},
                   {"loglik.exponential", CellKind::kNumber, 1},
                   {"loglik.weibull", CellKind::kNumber, 1},
                   {"aic.exponential", CellKind::kNumber, 1},
                   {"aic.weibull", CellKind::kNumber, 1},
                   {"better"}};
  for (std::size_t i = 0; i < view.evidence.size(); ++i) {
    Row row = KeyOf(view.evidence[i]);
    const auto& mean = view.figures[i].exponential;
    const auto& weibull = view.figures[i].weibull;
    row.push_back(NumberOf(mean ? &mean->log_likelihood : nullptr));
    row.push_back(NumberOf(weibull ? &weibull->log_likelihood : nullptr));
    row.push_back(NumberOf(mean ? &mean->aic : nullptr));
    row.push_back(NumberOf(weibull ? &weibull->aic : nullptr));
    const bool both = mean && weibull;
    row.push_back(both ? Cell(weibull->aic < mean->aic ? "weibull" : "exponential") : std::nullopt);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table AdvisorTable(const PlanZonesView& view) {
  Table table;
  table.name = "advisor";
  table.title = "AWS Spot Advisor: share of a month's instances that were interrupted, no rate";
  table.columns = {{"region"},
                   {"instance_type"},
                   {"os"},
                   {"interrupted_in_month"},
                   {"saving_pct", CellKind::kNumber},
                   {"flag"},
                   {"as_of"}};
  for (const SpotAdvice& advice : view.advice) {
    table.rows.push_back({advice.pool.zone, advice.pool.sku, Text(advice.os), advice.share,
                          std::to_string(advice.saving_pct),
                          advice.saving_pct < 0 ? Cell("dearer than on demand") : std::nullopt,
                          Text(advice.as_of)});
  }
  return table;
}

void AddNotes(const PlanZonesView& view, Answer& answer) {
  answer.notes = view.notes;
  bool held = false, pings = false;
  std::int64_t shorts = 0, near_cap = 0, capped = 0, by_rate = 0;
  for (std::size_t i = 0; i < view.evidence.size(); ++i) {
    const PoolEvidence& evidence = view.evidence[i];
    by_rate += IsByRate(evidence, view.figures[i]) ? 1 : 0;
    (evidence.observed == SpotObservation::kHeld ? held : pings) = true;
    shorts += evidence.short_lives;
    near_cap += evidence.near_cap_lives;
    capped += evidence.capped_lives;
  }
  if (pings) {
    answer.notes.push_back(
        "pings say whether an instance could be launched, not how long one would have been kept: "
        "their runs are shorter than lives");
  }
  if (held && pings) {
    answer.notes.push_back("held instances and pings are ranked apart: they are not comparable");
  }
  if (by_rate > 0) {
    answer.notes.push_back(std::to_string(by_rate) +
                           " sets tell how many left and not which: their survival is that of an "
                           "exponential of the rate");
  }
  if (shorts > 0) {
    answer.notes.push_back(std::to_string(shorts) +
                           " lifetimes are left out as failed creations (0, or below --shortest)");
  }
  if (near_cap > capped) {
    answer.notes.push_back(std::to_string(near_cap - capped) +
                           " lifetimes end at about 24 h, the cap of preemptible VMs, and count as "
                           "preemptions; --cap 23h30m takes them as still running");
  }
  if (!view.advice.empty()) {
    answer.notes.push_back(
        "the advisor's share is of a trailing month and a region; a rate an hour or a zone cannot "
        "be had from it");
  }
}

void AddLine(const PlanZonesView& view, Answer& answer) {
  for (std::size_t i = 0; i < view.evidence.size(); ++i) {
    const PoolFigures& figures = view.figures[i];
    if (figures.rank != 1 || !figures.run) continue;
    const SpotPool& pool = view.evidence[i].pool;
    const std::string percent = std::to_string((figures.run->probability + 5'000'000) / 10'000'000);
    answer.lines.push_back(
        "Best by " +
        std::string(kSpotObservationNames[static_cast<std::size_t>(view.evidence[i].observed)]) +
        ": " + pool.cloud + (pool.cloud.empty() ? "" : " ") + pool.zone +
        (pool.zone.empty() || pool.sku.empty() ? "" : " ") + pool.sku + ", " + percent +
        " % of runs live " + FormatDuration(view.run) + ", at least " +
        std::to_string((figures.run->low + 5'000'000) / 10'000'000) +
        " % as far as the data vouch");
  }
}

}  // namespace

Answer PlanZonesAnswer(const PlanZonesView& view) {
  Answer answer;
  answer.facts = {{"interval_hours", CellKind::kDecimal, HoursText(view.interval)},
                  {"run_hours", CellKind::kDecimal, HoursText(view.run)},
                  {"currency", CellKind::kText, view.currency}};
  AddLine(view, answer);
  if (!view.evidence.empty() || view.advice.empty()) {
    answer.tables = {ZoneTable(view), UptimeTable(view), SurvivalTable(view), FitTable(view),
                     GoodnessTable(view)};
  }
  if (!view.advice.empty()) answer.tables.push_back(AdvisorTable(view));
  AddNotes(view, answer);
  return answer;
}

}  // namespace plimsoll
