#include "purchase/commit/ladder.h"

#include <algorithm>

#include "model/commitment.h"
#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

// What units [low, high) above existing ones save in one month over on demand.
Money SavingOf(const UnitForecast& forecast, std::int64_t month, const UnitOffer& offer,
               std::int64_t low, std::int64_t high) {
  const UsageCurve& curve = *forecast.curve;
  const ForecastMonth& of = forecast.months[static_cast<std::size_t>(month)];
  const auto below = [&](std::int64_t units) {
    return curve.Below((of.existing_units + units) * kUnitHour, of.scale);
  };
  const int128 hours = std::max<int128>(1, curve.hours());
  const int128 value =
      DivideHalfEven((below(high) - below(low)) * kHoursPerMonth * of.on_demand.nanos(),
                     hours * kUnitHour * UsageCurve::kWhole);
  const int128 price = DivideHalfEven(offer.term_cost.nanos() * (high - low), offer.months);
  return Money::FromNanos(value - price);
}

}  // namespace

Result<std::vector<LadderRung>> LadderOf(const UnitForecast& forecast, const UnitOffer& offer,
                                         std::int64_t units, std::int64_t rungs) {
  if (rungs < 1 || rungs > std::min<std::int64_t>(24, offer.months)) {
    return Error{
        ErrorCode::kInvalidArgument,
        "a ladder has 1 to 24 months, and no more than the term, not " + std::to_string(rungs)};
  }
  const std::int64_t steps = units / forecast.step;
  std::vector<LadderRung> ladder;
  std::int64_t total = 0;
  for (std::int64_t month = 0; month < rungs; ++month) {
    const std::int64_t part = steps / rungs + (month < steps % rungs ? 1 : 0);
    if (part == 0) continue;
    LadderRung rung;
    rung.month = month;
    rung.units = part * forecast.step;
    rung.units_total = total + rung.units;
    rung.ends_month = month + offer.months;
    for (std::int64_t before = 0; before < month; ++before) {
      rung.saving_forgone += SavingOf(forecast, before, offer, total, rung.units_total);
    }
    total = rung.units_total;
    ladder.push_back(rung);
  }
  return ladder;
}

}  // namespace plimsoll
