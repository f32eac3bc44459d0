#include "purchase/commit/scenario.h"

#include "purchase/commit/fixed_point.h"
#include "purchase/commit/unit_replay.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

std::int64_t Scaled(std::int64_t scale, int128 factor) {
  return static_cast<std::int64_t>(DivideHalfEven(scale * factor, kFixedOne));
}

}  // namespace

std::vector<ForecastMonth> MonthsUnder(const Scenario& scenario, std::vector<ForecastMonth> base,
                                       std::string_view flavor) {
  for (std::size_t m = 0; m < base.size(); ++m) {
    const auto month = static_cast<std::int64_t>(m);
    const bool begun = month >= scenario.from_month;
    switch (scenario.kind) {
      case ScenarioKind::kFlat:
        break;
      case ScenarioKind::kGrowth:
        base[m].scale = Scaled(base[m].scale, GrowthAfter(scenario.share, month));
        break;
      case ScenarioKind::kDecline:
        base[m].scale = Scaled(base[m].scale, GrowthAfter(-scenario.share, month));
        break;
      case ScenarioKind::kMigration:
        if (!begun || flavor == scenario.target) break;
        base[m].scale = Scaled(base[m].scale, int128{kBillion - scenario.share} * kBillion);
        break;
      case ScenarioKind::kPriceCut:
        if (!begun) break;
        base[m].on_demand = Money::FromNanos(
            DivideHalfEven(base[m].on_demand.nanos() * (kBillion - scenario.share), kBillion));
        break;
    }
  }
  return base;
}

Result<ScenarioOutcome> Judge(const Scenario& scenario, UnitForecast forecast,
                              std::span<const UnitOffer> offers,
                              std::span<const UnitPurchase> purchases, std::string_view flavor) {
  forecast.months = MonthsUnder(scenario, std::move(forecast.months), flavor);
  ScenarioOutcome out;
  PLIMSOLL_TRY(out.purchases_best, BestPurchases(forecast, offers));
  out.bought = OutcomeOf(forecast, offers, purchases);
  out.best = OutcomeOf(forecast, offers, out.purchases_best);
  out.regret = out.bought.cost - out.best.cost;
  // Purchases that cost the same as the best may differ from it by a rounded nano.
  if (out.regret < Money()) out.regret = Money();
  return out;
}

std::optional<std::int64_t> BreakEvenPriceCut(const UnitForecast& forecast,
                                              std::span<const UnitOffer> offers,
                                              std::span<const UnitPurchase> purchases) {
  const UnitOutcome outcome = OutcomeOf(forecast, offers, purchases);
  const Money covered = outcome.cost_without - outcome.cost_on_demand;
  const Money saving = outcome.cost_without - outcome.cost;
  if (saving <= Money()) return std::nullopt;
  return ShareOf(saving.nanos(), covered.nanos());
}

}  // namespace plimsoll
