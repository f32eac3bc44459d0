#include "purchase/commit/spend_advice.h"

#include <algorithm>
#include <map>

#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

// Hours x flavors x months of one search for the best commitment in hindsight.
constexpr std::size_t kTriedMax = 8'000'000;
constexpr std::int64_t kBillion = 1'000'000'000;

std::int64_t Scale(std::int64_t used, std::int64_t millionths) {
  return static_cast<std::int64_t>(DivideHalfEven(int128{used} * millionths, UsageCurve::kWhole));
}

class SpendAdviser {
 public:
  SpendAdviser(const SpendNeed& need, const CommitmentOffer& offer, std::int64_t cost_of_capital)
      : need_(need), offer_(offer) {
    for (std::size_t i = 0; i < need.flavors.size(); ++i) {
      if (const Money* const price = PriceOf(offer, need.flavors[i])) {
        covered_.push_back(i);
        flavors_.push_back({need.on_demand[i], *price});
      } else {
        others_.push_back(i);
      }
    }
    const Result<Money> cost = TermCost(offer, "", cost_of_capital);
    options_.factor = static_cast<std::int64_t>(
        DivideHalfEven(cost->nanos(), int128{kHoursPerMonth} * offer.term_months));
  }

  Result<SpendAdvice> Advise(std::span<const Scenario> scenarios) {
    SpendAdvice out;
    out.name = offer_.name;
    out.months = offer_.term_months;
    for (const std::size_t i : covered_) out.flavors.push_back(need_.flavors[i]);
    const SpendUsage usage = Pick(std::vector<ForecastMonth>(1), {});
    PLIMSOLL_TRY(out.commitment, BestSpend(usage, flavors_, options_));
    out.outcome = ApplySpend(usage, flavors_, out.commitment, options_);
    AddOthers(out.outcome);
    const auto hours = static_cast<std::int64_t>(std::max<std::size_t>(1, usage.hours()));
    const Money covered = out.outcome.cost_on_demand - out.outcome.cost_rest;
    out.commitment_on_demand = Money::FromNanos(DivideHalfEven(covered.nanos(), hours));
    for (const Scenario& scenario : scenarios) {
      PLIMSOLL_TRY(const SpendScenario judged, Judge(scenario, out.commitment));
      out.scenarios.push_back(judged);
    }
    return out;
  }

 private:
  // The covered flavors' hours under `months`, one month after the other.
  SpendUsage Pick(std::span<const ForecastMonth> months, const Scenario& scenario) const {
    SpendUsage out{flavors_.size(), {}};
    const auto target = std::find_if(covered_.begin(), covered_.end(), [&](std::size_t i) {
      return scenario.kind == ScenarioKind::kMigration && need_.flavors[i] == scenario.target;
    });
    for (const ForecastMonth& month : months) {
      for (std::size_t hour = 0; hour < need_.usage.hours(); ++hour) {
        std::int64_t moved = 0;
        for (const std::size_t i : covered_) {
          const std::int64_t used = need_.usage.at(hour, i);
          const bool stays = target != covered_.end() && i == *target;
          out.used.push_back(stays ? used : Scale(used, month.scale));
          moved += stays ? 0 : used - out.used.back();
        }
        if (target == covered_.end()) continue;
        const std::size_t row = out.used.size() - covered_.size();
        out.used[row + static_cast<std::size_t>(target - covered_.begin())] += moved;
      }
    }
    return out;
  }

  // Flavors without a price in the plan stay on demand.
  void AddOthers(SpendOutcome& outcome) const {
    for (const std::size_t i : others_) {
      int128 used = 0;
      for (std::size_t hour = 0; hour < need_.usage.hours(); ++hour) {
        used += need_.usage.at(hour, i);
      }
      const Money cost =
          Money::FromNanos(DivideHalfEven(used * need_.on_demand[i].nanos(), kUnitHour));
      outcome.cost += cost;
      outcome.cost_rest += cost;
      outcome.cost_on_demand += cost;
    }
  }

  // A measured hour stands for as many hours as a month of the term has of it.
  Money Monthly(Money of_hours) const {
    const auto hours = static_cast<std::int64_t>(std::max<std::size_t>(1, need_.usage.hours()));
    return Money::FromNanos(DivideHalfEven(of_hours.nanos() * kHoursPerMonth, hours));
  }

  // Covered flavors only: the others cost the same with and without the plan.
  Result<SpendScenario> Judge(const Scenario& scenario, Money commitment) const {
    const auto months =
        MonthsUnder(scenario,
                    std::vector<ForecastMonth>(static_cast<std::size_t>(offer_.term_months),
                                               {UsageCurve::kWhole, Money::FromNanos(kBillion), 0}),
                    "");
    SpendScenario out;
    for (const ForecastMonth& month : months) {
      const SpendUsage usage = Pick({&month, 1}, scenario);
      const std::vector<SpendFlavor> prices = PricesIn(month);
      const SpendOutcome outcome = ApplySpend(usage, prices, commitment, options_);
      out.cost += Monthly(outcome.cost);
      out.cost_on_demand += Monthly(outcome.cost_on_demand);
      out.unused += Monthly(outcome.unused);
    }
    if (months.size() * need_.usage.used.size() > kTriedMax) return out;
    // One search over all months; a cut from the begin on changes the prices of all of them.
    if (scenario.kind == ScenarioKind::kPriceCut && scenario.from_month > 0) return out;
    const SpendUsage all = Pick(months, scenario);
    const std::vector<SpendFlavor> prices = PricesIn(months.front());
    PLIMSOLL_TRY(const Money best, BestSpend(all, prices, options_));
    const Money least = Monthly(ApplySpend(all, prices, best, options_).cost);
    out.regret = std::max(Money(), out.cost - least);
    return out;
  }

  // on_demand of a month is the factor of prices here: 1 is as they are.
  std::vector<SpendFlavor> PricesIn(const ForecastMonth& month) const {
    std::vector<SpendFlavor> prices = flavors_;
    for (SpendFlavor& price : prices) {
      price.on_demand = Money::FromNanos(
          DivideHalfEven(price.on_demand.nanos() * month.on_demand.nanos(), kBillion));
    }
    return prices;
  }

  const SpendNeed& need_;
  const CommitmentOffer& offer_;
  std::vector<std::size_t> covered_, others_;
  std::vector<SpendFlavor> flavors_;
  SpendOptions options_;
};

}  // namespace

SpendNeed SpendNeedOf(std::span<const HourlyUsage> usage, std::span<const Money> on_demand,
                      std::span<const std::int64_t> units_in_force, bool missing_is_zero) {
  SpendNeed need;
  need.on_demand.assign(on_demand.begin(), on_demand.end());
  std::map<Instant, std::pair<std::size_t, std::vector<std::int64_t>>> hours;
  for (std::size_t i = 0; i < usage.size(); ++i) {
    need.flavors.push_back(usage[i].flavor);
    for (std::size_t h = 0; h < usage[i].hour.size(); ++h) {
      auto& [seen, used] = hours[usage[i].hour[h]];
      used.resize(usage.size(), 0);
      ++seen;
      used[i] = std::max<std::int64_t>(0, usage[i].used[h] - units_in_force[i] * kUnitHour);
    }
  }
  need.usage.flavors = usage.size();
  for (const auto& [hour, row] : hours) {
    if (row.first < usage.size() && !missing_is_zero) continue;
    need.usage.used.insert(need.usage.used.end(), row.second.begin(), row.second.end());
  }
  return need;
}

Result<SpendAdvice> AdviseSpend(const SpendNeed& need, const CommitmentOffer& offer,
                                std::int64_t cost_of_capital, std::span<const Scenario> scenarios) {
  Result<SpendAdvice> advice = SpendAdviser(need, offer, cost_of_capital).Advise(scenarios);
  if (advice) return advice;
  return Error{advice.error().code, "offer '" + offer.name + "': " + advice.error().message};
}

}  // namespace plimsoll
