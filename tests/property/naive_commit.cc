#include "property/naive_commit.h"

#include <algorithm>
#include <functional>
#include <set>

#include "model/commitment.h"
#include "purchase/commit/term_cost.h"

namespace plimsoll {

int128 NaiveCost(const NaiveForecast& forecast, std::span<const UnitOffer> offers,
                 std::span<const UnitPurchase> purchases) {
  const auto hours = static_cast<std::int64_t>(forecast.used.size());
  const int128 one = int128{kUnitHour} * UsageCurve::kWhole * hours;
  int128 cost = 0;
  for (const UnitPurchase& p : purchases) cost += offers[p.offer].term_cost.nanos() * p.units * one;
  for (std::size_t m = 0; m < forecast.months.size(); ++m) {
    const ForecastMonth& month = forecast.months[m];
    std::int64_t units = month.existing_units;
    for (const UnitPurchase& p : purchases) {
      const std::int64_t age = static_cast<std::int64_t>(m) - p.begin_month;
      if (age >= 0 && age < offers[p.offer].months) units += p.units;
    }
    for (const std::int64_t used : forecast.used) {
      const int128 over =
          int128{used} * month.scale - int128{units} * kUnitHour * UsageCurve::kWhole;
      if (over > 0) cost += over * kHoursPerMonth * month.on_demand.nanos();
    }
  }
  return cost;
}

int128 NaiveLeast(const NaiveForecast& forecast, std::span<const UnitOffer> offers,
                  std::int64_t most) {
  std::vector<UnitPurchase> slots;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const auto months = static_cast<std::int64_t>(forecast.months.size());
    for (std::int64_t begin = 0; begin < months; begin += offers[i].months) {
      slots.push_back({i, begin, 0});
    }
  }
  int128 least = -1;
  const std::function<void(std::size_t)> walk = [&](std::size_t at) {
    if (at == slots.size()) {
      const int128 cost = NaiveCost(forecast, offers, slots);
      if (least < 0 || cost < least) least = cost;
      return;
    }
    for (slots[at].units = 0; slots[at].units <= most; slots[at].units += forecast.step) {
      walk(at + 1);
    }
  };
  walk(0);
  return least;
}

NaiveSpend NaiveBestSpend(const std::vector<std::vector<std::int64_t>>& hours,
                          const std::vector<std::int64_t>& on_demand,
                          const std::vector<std::int64_t>& plan, std::int64_t denominator) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < plan.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const std::int64_t left = plan[a] * on_demand[b], right = plan[b] * on_demand[a];
    return left != right ? left < right : plan[a] < plan[b];
  });
  std::set<std::int64_t> vertices = {0};
  for (const auto& hour : hours) {
    std::int64_t sum = 0;
    for (const std::size_t i : order) vertices.insert(sum += hour[i] * plan[i]);
  }
  NaiveSpend best;
  bool first = true;
  for (const std::int64_t commitment : vertices) {
    int128 cost = 0;
    for (const auto& hour : hours) {
      std::int64_t left = commitment;
      cost += int128{commitment} * denominator;
      for (const std::size_t i : order) {
        const std::int64_t takes = std::min(left, hour[i] * plan[i]);
        left -= takes;
        cost += int128{hour[i] * plan[i] - takes} * on_demand[i] * (denominator / plan[i]);
      }
    }
    if (first || cost < best.cost) best = {cost, commitment};
    first = false;
  }
  return best;
}

}  // namespace plimsoll
