#include "purchase/mix/fleet_choice.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "model/commitment.h"
#include "purchase/commit/term_cost.h"
#include "purchase/commit/usage_curve.h"

namespace plimsoll {
namespace {

// Of load outside the commitments: a price and who pays it.
struct Tier {
  Money price;
  const HourlyUnits* used;
};

// Load by falling price, as curves of all that pays at least so much: the cost of an hour beyond
// q units is the sum over them of (price - next price) x (use - q).
class Dispatch {
 public:
  Dispatch(HourlyUnits base, Money on_demand, std::vector<Tier> tiers) {
    std::stable_sort(tiers.begin(), tiers.end(),
                     [](const Tier& a, const Tier& b) { return a.price > b.price; });
    Money price = on_demand;
    for (const Tier& tier : tiers) {
      Close(base, price - std::min(price, tier.price));
      price = std::min(price, tier.price);
      for (std::size_t h = 0; h < base.size(); ++h) base[h] += (*tier.used)[h];
    }
    Close(base, price);
  }

  // Nanos x unit-milliseconds of all hours that lie above `units`.
  int128 CostAbove(std::int64_t units) const {
    int128 cost = 0;
    for (const Step& step : steps_) {
      const int128 below = step.curve.Below(units * kUnitHour) / UsageCurve::kWhole;
      cost += (step.curve.total() - below) * step.price.nanos();
    }
    return cost;
  }

  std::int64_t max_units() const {
    std::int64_t most = 0;
    for (const Step& step : steps_) most = std::max(most, step.curve.max());
    return most / kUnitHour + 1;
  }

 private:
  struct Step {
    Money price;
    UsageCurve curve;
  };

  void Close(const HourlyUnits& base, Money price) {
    if (price > Money()) steps_.push_back({price, UsageCurve(base)});
  }

  std::vector<Step> steps_;
};

enum class Side : unsigned char { kOpen, kOff, kSpot };

// Amounts are nanos a month x hours x kUnitHour, which makes all of them whole.
struct Scaled {
  int128 cost = 0;
  std::int64_t units = 0;
};

class Search {
 public:
  explicit Search(const FleetQuestion& question)
      : question_(question),
        per_month_(int128{static_cast<std::int64_t>(question.fixed.size())} * kUnitHour) {
    for (const FleetRun& run : question.runs) {
      const int128 used = std::accumulate(run.used.begin(), run.used.end(), int128{0});
      const int128 hours = used * kHoursPerMonth;  // x per_month_ nanos = the price of all
      const int128 difference = std::max<int128>(0, (run.spot - run.extra).nanos());
      split_.push_back(Money::FromNanos(hours > 0 ? difference * per_month_ / hours : 0));
      size_.push_back(used);
    }
    order_.resize(question.runs.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return size_[a] > size_[b]; });
  }

  // With open runs it is a bound: they may be split, at no more than they cost.
  Scaled Cost(const std::vector<Side>& sides, std::optional<std::int64_t> units) const {
    HourlyUnits base = question_.fixed;
    std::vector<Tier> tiers;
    Scaled out;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const FleetRun& run = question_.runs[i];
      if (sides[i] == Side::kSpot) {
        out.cost += run.spot.nanos() * per_month_;
        continue;
      }
      out.cost +=
          std::min(run.extra, sides[i] == Side::kOpen ? run.spot : run.extra).nanos() * per_month_;
      if (sides[i] == Side::kOpen) {
        tiers.push_back({split_[i], &run.used});
      } else {
        for (std::size_t h = 0; h < base.size(); ++h) base[h] += run.used[h];
      }
    }
    for (const FleetLoad& load : question_.loads) tiers.push_back({load.elsewhere, &load.used});
    const Dispatch dispatch(std::move(base), question_.on_demand, std::move(tiers));
    out.units = units.value_or(question_.committed ? BestUnits(dispatch) : 0);
    out.cost += dispatch.CostAbove(question_.existing + out.units) * kHoursPerMonth;
    if (question_.committed) {
      out.cost += int128{out.units} * question_.committed->nanos() * per_month_;
    }
    return out;
  }

  FleetChoice Run() {
    std::vector<Side> sides(question_.runs.size(), Side::kOff);
    best_sides_ = sides;
    best_ = Cost(sides, std::nullopt);
    Improve();
    std::fill(sides.begin(), sides.end(), Side::kOpen);
    const Scaled bound = Cost(sides, std::nullopt);
    Branch(sides, 0, bound.cost);
    FleetChoice choice;
    for (const Side side : best_sides_) choice.on_spot.push_back(side == Side::kSpot);
    choice.units = best_.units;
    choice.cost = ToMoney(best_.cost);
    choice.proven = !cut_;
    choice.cost_least = cut_ ? std::min(choice.cost, ToMoney(cut_least_)) : choice.cost;
    return choice;
  }

  Money ToMoney(int128 scaled) const {
    return Money::FromNanos(DivideHalfEven(scaled, per_month_));
  }

 private:
  // Units are bought while the next one saves more than it costs: the saving falls with the level.
  std::int64_t BestUnits(const Dispatch& dispatch) const {
    const int128 price = question_.committed->nanos() * per_month_;
    std::int64_t low = 0;
    std::int64_t high = std::max<std::int64_t>(0, dispatch.max_units() - question_.existing);
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      const std::int64_t level = question_.existing + middle;
      const int128 saves =
          (dispatch.CostAbove(level) - dispatch.CostAbove(level + 1)) * kHoursPerMonth;
      if (saves > price) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // Moves one run at a time as long as that saves: a good plan to begin with.
  void Improve() {
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 0; i < best_sides_.size(); ++i) {
        std::vector<Side> sides = best_sides_;
        sides[i] = sides[i] == Side::kOff ? Side::kSpot : Side::kOff;
        const Scaled cost = Cost(sides, std::nullopt);
        if (cost.cost >= best_.cost) continue;
        best_ = cost;
        best_sides_ = std::move(sides);
        better = true;
      }
    }
  }

  void Branch(std::vector<Side>& sides, std::size_t depth, int128 bound) {
    if (bound >= best_.cost) return;
    if (++nodes_ > question_.nodes_max) {
      cut_least_ = cut_ ? std::min(cut_least_, bound) : bound;
      cut_ = true;
      return;
    }
    if (depth == order_.size()) {
      const Scaled cost = Cost(sides, std::nullopt);
      if (cost.cost >= best_.cost) return;
      best_ = cost;
      best_sides_ = sides;
      return;
    }
    Side& side = sides[order_[depth]];
    side = Side::kOff;
    const int128 off = Cost(sides, std::nullopt).cost;
    side = Side::kSpot;
    const int128 spot = Cost(sides, std::nullopt).cost;
    for (const Side next :
         {off <= spot ? Side::kOff : Side::kSpot, off <= spot ? Side::kSpot : Side::kOff}) {
      side = next;
      Branch(sides, depth + 1, next == Side::kOff ? off : spot);
    }
    side = Side::kOpen;
  }

  const FleetQuestion& question_;
  int128 per_month_;
  std::vector<Money> split_;  // of a unit-hour of each run on spot, rounded down
  std::vector<int128> size_;
  std::vector<std::size_t> order_;  // largest first
  std::vector<Side> best_sides_;
  Scaled best_;
  std::int64_t nodes_ = 0;
  bool cut_ = false;
  int128 cut_least_ = 0;
};

}  // namespace

FleetChoice ChooseFleet(const FleetQuestion& question) {
  PLIMSOLL_CHECK(!question.fixed.empty());
  return Search(question).Run();
}

FleetCost CostOfFleet(const FleetQuestion& question, const std::vector<bool>& on_spot,
                      std::optional<std::int64_t> units) {
  std::vector<Side> sides;
  for (const bool spot : on_spot) sides.push_back(spot ? Side::kSpot : Side::kOff);
  const Search search(question);
  const Scaled cost = search.Cost(sides, units);
  return {cost.units, search.ToMoney(cost.cost)};
}

}  // namespace plimsoll
