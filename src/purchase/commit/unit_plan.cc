#include "purchase/commit/unit_plan.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "model/commitment.h"
#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kUnitsMax = 1'000'000;
constexpr Money kHourMax = Money::Units(10'000'000);
constexpr std::int64_t kHoursMax = 5 * 8'784;

// Decides the levels of one flavor. Amounts are compared times hours x kUnitHour x kWhole, which
// makes all of them whole.
class LevelPlanner {
 public:
  LevelPlanner(const UnitForecast& forecast, std::span<const UnitOffer> offers)
      : forecast_(forecast), curve_(*forecast.curve), offers_(offers) {
    const auto months = static_cast<std::int64_t>(forecast.months.size());
    for (std::size_t i = 0; i < offers.size(); ++i) {
      if (offers[i].months <= months) Keep(i);
    }
    std::stable_sort(by_term_.begin(), by_term_.end(), [&](std::size_t a, std::size_t b) {
      return offers_[a].months > offers_[b].months;
    });
    for (const std::size_t offer : by_term_) {
      cost_.push_back(offers_[offer].term_cost.nanos() * forecast.step * curve_.hours() *
                      kUnitHour * UsageCurve::kWhole);
    }
    for (const ForecastMonth& month : forecast.months) {
      const int128 most = int128{curve_.max()} * month.scale / UsageCurve::kWhole / kUnitHour + 1;
      levels_ = std::max(levels_, static_cast<std::int64_t>(most) / forecast.step + 1);
    }
  }

  Status Check() const {
    auto longer = static_cast<std::int64_t>(forecast_.months.size());
    for (const std::size_t offer : by_term_) {
      const std::int64_t months = offers_[offer].months;
      if (longer % months == 0) {
        longer = months;
        continue;
      }
      return Error{ErrorCode::kInvalidArgument,
                   "terms of " + std::to_string(months) + " and " + std::to_string(longer) +
                       " months cannot be planned together: a shorter term must divide the "
                       "longer; leave one of them out"};
    }
    return Ok();
  }

  std::vector<UnitPurchase> Plan() {
    if (by_term_.empty()) return {};
    const std::int64_t term = offers_[by_term_.front()].months;
    const auto months = static_cast<std::int64_t>(forecast_.months.size());
    for (std::int64_t begin = 0; begin < months; begin += term) Decide(0, begin, 0);
    std::stable_sort(plan_.begin(), plan_.end(), [&](const auto& a, const auto& b) {
      return offers_[a.offer].months > offers_[b.offer].months;
    });
    return std::move(plan_);
  }

 private:
  // Of each term the cheapest offer.
  void Keep(std::size_t i) {
    for (std::size_t& kept : by_term_) {
      if (offers_[kept].months != offers_[i].months) continue;
      if (offers_[i].term_cost < offers_[kept].term_cost) kept = i;
      return;
    }
    by_term_.push_back(i);
  }

  // The on-demand cost of one level in one month.
  int128 OnDemand(std::int64_t month, std::int64_t level) const {
    const ForecastMonth& of = forecast_.months[static_cast<std::size_t>(month)];
    const std::int64_t low = (of.existing_units + level * forecast_.step) * kUnitHour;
    const std::int64_t high = low + forecast_.step * kUnitHour;
    const int128 used = curve_.Below(high, of.scale) - curve_.Below(low, of.scale);
    return used * kHoursPerMonth * of.on_demand.nanos();
  }

  // The least cost of one level from `begin` over one term of tier `tier`, with terms of that
  // tier and below. Tier by_term_.size() is on demand, a month at a time.
  int128 Least(std::size_t tier, std::int64_t begin, std::int64_t level) const {
    if (tier == by_term_.size()) return OnDemand(begin, level);
    return std::min(cost_[tier], Within(tier, begin, level));
  }

  std::int64_t MonthsOf(std::size_t tier) const {
    return tier == by_term_.size() ? 1 : offers_[by_term_[tier]].months;
  }

  // The same without the tier's own offer. Months that are alike are asked for once.
  int128 Within(std::size_t tier, std::int64_t begin, std::int64_t level) const {
    const std::int64_t until = begin + MonthsOf(tier), part = MonthsOf(tier + 1);
    int128 sum = 0, one = 0;
    for (std::int64_t at = begin; at < until; at += part) {
      if (at == begin || !Alike(at - part, at, part)) one = Least(tier + 1, at, level);
      sum += one;
    }
    return sum;
  }

  bool Alike(std::int64_t a, std::int64_t b, std::int64_t months) const {
    const auto at = forecast_.months.begin();
    return std::equal(at + a, at + a + months, at + b);
  }

  void Decide(std::size_t tier, std::int64_t begin, std::int64_t from) {
    if (tier == by_term_.size()) return;
    std::int64_t low = from, high = levels_;  // levels below low pay, from high on they do not
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (cost_[tier] < Within(tier, begin, middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low > from) plan_.push_back({by_term_[tier], begin, (low - from) * forecast_.step});
    const std::int64_t part = MonthsOf(tier + 1);
    if (tier + 1 == by_term_.size()) return;
    for (std::int64_t at = begin; at < begin + MonthsOf(tier); at += part)
      Decide(tier + 1, at, low);
  }

  const UnitForecast& forecast_;
  const UsageCurve& curve_;
  std::span<const UnitOffer> offers_;
  std::vector<std::size_t> by_term_;  // offers, longest term first, one a term
  std::vector<int128> cost_;          // of each of them for one level
  std::int64_t levels_ = 0;           // from here on nothing is used
  std::vector<UnitPurchase> plan_;
};

Status CheckSizes(const UnitForecast& forecast) {
  const auto refuse = [](const std::string& what) { return Error{ErrorCode::kOutOfRange, what}; };
  if (forecast.step < 1 || forecast.step > 1'000) {
    return Error{ErrorCode::kInvalidArgument, "units are sold by 1 to 1,000 at a time"};
  }
  if (forecast.curve->hours() > kHoursMax) return refuse("more than five years of hours");
  if (forecast.months.size() > 60) return refuse("a forecast of more than 60 months");
  for (const ForecastMonth& month : forecast.months) {
    const int128 units =
        int128{forecast.curve->max()} * month.scale / UsageCurve::kWhole / kUnitHour + 1;
    if (units > kUnitsMax || month.existing_units > kUnitsMax) {
      return refuse("more than a million units in an hour");
    }
    if (units * month.on_demand.nanos() > kHourMax.nanos()) {
      return refuse("use of more than 10,000,000 an hour at the on-demand price");
    }
  }
  return Ok();
}

}  // namespace

Result<std::vector<UnitPurchase>> BestPurchases(const UnitForecast& forecast,
                                                std::span<const UnitOffer> offers) {
  PLIMSOLL_RETURN_IF_ERROR(CheckSizes(forecast));
  if (forecast.curve->hours() == 0) return std::vector<UnitPurchase>();
  LevelPlanner planner(forecast, offers);
  PLIMSOLL_RETURN_IF_ERROR(planner.Check());
  return planner.Plan();
}

UnitOutcome OutcomeOf(const UnitForecast& forecast, std::span<const UnitOffer> offers,
                      std::span<const UnitPurchase> purchases) {
  const UsageCurve& curve = *forecast.curve;
  UnitOutcome out;
  for (const UnitPurchase& purchase : purchases) {
    out.cost_committed +=
        Money::FromNanos(offers[purchase.offer].term_cost.nanos() * purchase.units);
  }
  int128 rest = 0, without = 0, stranded = 0;
  for (std::size_t m = 0; m < forecast.months.size(); ++m) {
    const ForecastMonth& month = forecast.months[m];
    std::int64_t units = 0;
    int128 committed = 0;  // nanos of this month
    for (const UnitPurchase& purchase : purchases) {
      const std::int64_t age = static_cast<std::int64_t>(m) - purchase.begin_month;
      const UnitOffer& offer = offers[purchase.offer];
      if (age < 0 || age >= offer.months) continue;
      units += purchase.units;
      committed += DivideHalfEven(offer.term_cost.nanos() * purchase.units, offer.months);
    }
    const std::int64_t first = month.existing_units * kUnitHour;
    const int128 below = curve.Below(first, month.scale);
    const int128 used = curve.Below(first + units * kUnitHour, month.scale) - below;
    const int128 over = curve.total() * month.scale - below;
    without += over * kHoursPerMonth * month.on_demand.nanos();
    rest += (over - used) * kHoursPerMonth * month.on_demand.nanos();
    const int128 whole = int128{units} * kUnitHour * UsageCurve::kWhole * curve.hours();
    if (whole > 0) {
      const int128 unused = DivideHalfEven((whole - used) * Money::kNanosPerUnit, whole);
      stranded += DivideHalfEven(committed * unused, Money::kNanosPerUnit);
    }
  }
  const int128 per = std::max<int128>(1, int128{kUnitHour} * UsageCurve::kWhole * curve.hours());
  out.cost_on_demand = Money::FromNanos(DivideHalfEven(rest, per));
  out.cost_without = Money::FromNanos(DivideHalfEven(without, per));
  out.stranded = Money::FromNanos(stranded);
  out.cost = out.cost_committed + out.cost_on_demand;
  return out;
}

}  // namespace plimsoll
