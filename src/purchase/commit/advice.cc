#include "purchase/commit/advice.h"

#include <algorithm>

#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

constexpr Duration kMonth = Hours(kHoursPerMonth);

class Adviser {
 public:
  Adviser(const HourlyUsage& usage, Money on_demand, const CommitOptions& options)
      : usage_(usage), options_(options), curve_(usage.used) {
    out_.flavor = usage.flavor;
    out_.on_demand = on_demand;
    out_.hours = curve_.hours();
    out_.used_max = curve_.max();
    out_.used_p5 = curve_.Percentile(5);
  }

  void TakeExisting(std::span<const ExistingCommitment> existing) {
    for (const ExistingCommitment& commitment : existing) {
      if (commitment.flavor != usage_.flavor || commitment.expires <= options_.start) continue;
      existing_.push_back(commitment);
      out_.existing_units += commitment.units;
      in_force_.push_back(
          {commitment.units, Money::FromNanos(commitment.price.nanos() * kHoursPerMonth), 1});
    }
    out_.before = Replay(curve_, out_.on_demand, in_force_);
  }

  Status TakeOffers(std::span<const CommitmentOffer> offers) {
    for (const CommitmentOffer& offer : offers) {
      if (IsOfMoney(offer.kind) || PriceOf(offer, usage_.flavor) == nullptr) continue;
      PLIMSOLL_TRY(const Money cost, TermCost(offer, usage_.flavor, options_.cost_of_capital));
      out_.offers.push_back({offer.term_months, cost});
      OfferAdvice alone;
      alone.name = offer.name;
      alone.months = offer.term_months;
      alone.hourly = HourlyOf(cost, offer.term_months);
      alone.break_even =
          ShareOf(cost.nanos(), out_.on_demand.nanos() * kHoursPerMonth * offer.term_months)
              .value_or(0);
      out_.alone.push_back(std::move(alone));
    }
    for (std::size_t i = 0; i < out_.offers.size(); ++i) {
      const std::span<const UnitOffer> one(&out_.offers[i], 1);
      PLIMSOLL_TRY(const auto plan, BestPurchases(Forecast(curve_, one), one));
      out_.alone[i].units = UnitsNow(plan);
      out_.alone[i].replay = ReplayWith(i, out_.alone[i].units);
    }
    return Ok();
  }

  Status Choose() {
    PLIMSOLL_TRY(out_.purchases, BestPurchases(Forecast(curve_, out_.offers), out_.offers));
    out_.units_long = UnitsNow(out_.purchases);
    PLIMSOLL_RETURN_IF_ERROR(LookAtRecent());
    if (options_.target_utilization || options_.target_coverage) AimAtTarget();
    out_.units = UnitsNow(out_.purchases);
    std::vector<ReplayUnits> all = in_force_;
    for (const UnitPurchase& purchase : out_.purchases) {
      if (purchase.begin_month > 0) continue;
      const UnitOffer& offer = out_.offers[purchase.offer];
      all.push_back({purchase.units, offer.term_cost, offer.months});
    }
    out_.after = Replay(curve_, out_.on_demand, all);
    const int128 committed = int128{out_.units} * kUnitHour * out_.hours;
    const int128 used = out_.after.covered - out_.before.covered;
    out_.utilization = ShareOf(used, committed);
    const Money paid = out_.after.cost_committed - out_.before.cost_committed;
    if (const auto unused = ShareOf(committed - used, committed)) {
      out_.stranded =
          Money::FromNanos(DivideHalfEven(paid.nanos() * *unused, Money::kNanosPerUnit));
    }
    return Ok();
  }

  Status LookAhead() {
    if (out_.offers.empty()) return Ok();
    const UnitForecast forecast = Forecast(curve_, out_.offers);
    out_.break_even_price_cut = BreakEvenPriceCut(forecast, out_.offers, out_.purchases);
    for (const Scenario& scenario : options_.scenarios) {
      PLIMSOLL_TRY(ScenarioOutcome outcome,
                   Judge(scenario, forecast, out_.offers, out_.purchases, usage_.flavor));
      out_.scenarios.push_back(std::move(outcome));
    }
    if (options_.ladder == 0) return Ok();
    for (const UnitPurchase& purchase : out_.purchases) {
      if (purchase.begin_month > 0) continue;
      PLIMSOLL_TRY(out_.ladder, LadderOf(forecast, out_.offers[purchase.offer], purchase.units,
                                         options_.ladder));
      break;
    }
    return Ok();
  }

  CommitAdvice Take() { return std::move(out_); }

 private:
  // As many months as the longest term, each with what of the existing commitments is in force.
  UnitForecast Forecast(const UsageCurve& curve, std::span<const UnitOffer> offers) const {
    UnitForecast forecast{&curve, {}, options_.step};
    std::int64_t months = 0;
    for (const UnitOffer& offer : offers) months = std::max(months, offer.months);
    for (std::int64_t m = 0; m < months; ++m) {
      ForecastMonth month{UsageCurve::kWhole, out_.on_demand, 0};
      const Instant begin = options_.start + Millis(kMonth.base() * m);
      for (const ExistingCommitment& commitment : existing_) {
        if (commitment.expires > begin) month.existing_units += commitment.units;
      }
      forecast.months.push_back(month);
    }
    return forecast;
  }

  static std::int64_t UnitsNow(std::span<const UnitPurchase> plan) {
    std::int64_t units = 0;
    for (const UnitPurchase& purchase : plan) {
      if (purchase.begin_month == 0) units += purchase.units;
    }
    return units;
  }

  UnitReplay ReplayWith(std::size_t offer, std::int64_t units) const {
    std::vector<ReplayUnits> all = in_force_;
    all.push_back({units, out_.offers[offer].term_cost, out_.offers[offer].months});
    return Replay(curve_, out_.on_demand, all);
  }

  Status LookAtRecent() {
    if (usage_.hour.empty()) return Ok();
    const Instant from = usage_.hour.back() + Hours(1) - options_.recent;
    const auto first = std::lower_bound(usage_.hour.begin(), usage_.hour.end(), from);
    if (first == usage_.hour.begin()) return Ok();  // there are no others
    const UsageCurve recent(std::vector<std::int64_t>(
        usage_.used.begin() + (first - usage_.hour.begin()), usage_.used.end()));
    PLIMSOLL_TRY(auto plan, BestPurchases(Forecast(recent, out_.offers), out_.offers));
    out_.units_recent = UnitsNow(plan);
    if (options_.cautious && *out_.units_recent < out_.units_long) {
      out_.purchases = std::move(plan);
    }
    return Ok();
  }

  void AimAtTarget() {
    out_.purchases.clear();
    if (out_.offers.empty()) return;
    const auto cheapest = std::min_element(
        out_.alone.begin(), out_.alone.end(),
        [](const OfferAdvice& a, const OfferAdvice& b) { return a.hourly < b.hourly; });
    const std::int64_t units = options_.target_utilization
                                   ? UnitsAtUtilization(curve_, out_.existing_units,
                                                        *options_.target_utilization, options_.step)
                                   : UnitsAtCoverage(curve_, out_.existing_units,
                                                     *options_.target_coverage, options_.step);
    if (units == 0) return;
    const auto offer = static_cast<std::size_t>(cheapest - out_.alone.begin());
    out_.purchases.push_back({offer, 0, units});
  }

  const HourlyUsage& usage_;
  const CommitOptions& options_;
  UsageCurve curve_;
  std::vector<ExistingCommitment> existing_;
  std::vector<ReplayUnits> in_force_;
  CommitAdvice out_;
};

}  // namespace

Result<CommitAdvice> Advise(const HourlyUsage& usage, Money on_demand,
                            std::span<const CommitmentOffer> offers,
                            std::span<const ExistingCommitment> existing,
                            const CommitOptions& options) {
  const auto of_flavor = [&](Error error) {
    if (!usage.flavor.empty()) error.message = usage.flavor + ": " + error.message;
    return error;
  };
  Adviser adviser(usage, on_demand, options);
  adviser.TakeExisting(existing);
  Status done = adviser.TakeOffers(offers);
  if (done) done = adviser.Choose();
  if (done) done = adviser.LookAhead();
  if (!done) return of_flavor(std::move(done).error());
  return adviser.Take();
}

}  // namespace plimsoll
