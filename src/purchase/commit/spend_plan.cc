#include "purchase/commit/spend_plan.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "model/commitment.h"

namespace plimsoll {
namespace {

constexpr Money kHourMax = Money::Units(10'000'000);
constexpr int128 kBillion = 1'000'000'000;

// Flavors in the order in which a plan covers them.
std::vector<std::size_t> CoverOrder(std::span<const SpendFlavor> flavors) {
  std::vector<std::size_t> order(flavors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    // plan / on demand, the smaller first, without dividing.
    const int128 left = flavors[a].plan.nanos() * flavors[b].on_demand.nanos();
    const int128 right = flavors[b].plan.nanos() * flavors[a].on_demand.nanos();
    return left != right ? left < right : flavors[a].plan < flavors[b].plan;
  });
  return order;
}

// Plan money (nanos x unit-milliseconds) that each flavor takes over all hours.
struct Taken {
  std::vector<int128> by_flavor;
  int128 sum = 0;
};

Taken Take(const SpendUsage& usage, std::span<const SpendFlavor> flavors, Money commitment,
           std::span<const std::size_t> order) {
  Taken taken{std::vector<int128>(flavors.size(), 0), 0};
  const int128 an_hour = commitment.nanos() * kUnitHour;
  for (std::size_t hour = 0; hour < usage.hours(); ++hour) {
    int128 left = an_hour;
    for (const std::size_t flavor : order) {
      const int128 wanted = usage.at(hour, flavor) * flavors[flavor].plan.nanos();
      const int128 takes = std::min(left, wanted);
      taken.by_flavor[flavor] += takes;
      left -= takes;
      if (left == 0) break;
    }
    taken.sum += an_hour - left;
  }
  return taken;
}

// The on-demand value of what was taken, in nanos x unit-milliseconds, half to even a flavor.
int128 ValueOf(const Taken& taken, std::span<const SpendFlavor> flavors) {
  int128 value = 0;
  for (std::size_t i = 0; i < flavors.size(); ++i) {
    // taken / plan is unit-milliseconds; whole and rest apart keep the product within 128 bits.
    const int128 plan = flavors[i].plan.nanos();
    value += taken.by_flavor[i] / plan * flavors[i].on_demand.nanos();
    value += DivideHalfEven(taken.by_flavor[i] % plan * flavors[i].on_demand.nanos(), plan);
  }
  return value;
}

}  // namespace

Money FullCover(const SpendUsage& usage, std::span<const SpendFlavor> flavors) {
  int128 most = 0;
  for (std::size_t hour = 0; hour < usage.hours(); ++hour) {
    int128 wanted = 0;
    for (std::size_t i = 0; i < flavors.size(); ++i) {
      wanted += usage.at(hour, i) * flavors[i].plan.nanos();
    }
    most = std::max(most, wanted);
  }
  return Money::FromNanos((most + kUnitHour - 1) / kUnitHour);
}

SpendOutcome ApplySpend(const SpendUsage& usage, std::span<const SpendFlavor> flavors,
                        Money commitment, const SpendOptions& options) {
  PLIMSOLL_CHECK(usage.flavors == flavors.size() && commitment >= Money());
  const Taken taken = Take(usage, flavors, commitment, CoverOrder(flavors));
  const auto hours = static_cast<std::int64_t>(usage.hours());
  int128 on_demand = 0;
  for (std::size_t hour = 0; hour < usage.hours(); ++hour) {
    for (std::size_t i = 0; i < flavors.size(); ++i) {
      on_demand += usage.at(hour, i) * flavors[i].on_demand.nanos();
    }
  }
  const auto money = [](int128 nano_millis) {
    return Money::FromNanos(DivideHalfEven(nano_millis, kUnitHour));
  };
  SpendOutcome out;
  out.cost_on_demand = money(on_demand);
  out.cost_rest = money(on_demand - ValueOf(taken, flavors));
  const Money face = Money::FromNanos(commitment.nanos() * hours);
  out.cost_committed = Money::FromNanos(DivideHalfEven(face.nanos() * options.factor, kBillion));
  out.cost = out.cost_committed + out.cost_rest;
  out.used = money(taken.sum);
  out.unused = face - out.used;
  for (std::size_t i = 0; i < flavors.size(); ++i) {
    out.covered.push_back(taken.by_flavor[i] / flavors[i].plan.nanos());
  }
  return out;
}

Result<Money> BestSpend(const SpendUsage& usage, std::span<const SpendFlavor> flavors,
                        const SpendOptions& options) {
  const Money most = FullCover(usage, flavors);
  if (most > kHourMax) {
    return Error{ErrorCode::kOutOfRange, "use of more than 10,000,000 an hour at plan prices"};
  }
  const std::vector<std::size_t> order = CoverOrder(flavors);
  const int128 step = options.step.nanos();
  const int128 step_cost = DivideHalfEven(
      step * static_cast<std::int64_t>(usage.hours()) * kUnitHour * options.factor, kBillion);
  const auto value_at = [&](int128 steps) {
    return ValueOf(Take(usage, flavors, Money::FromNanos(steps * step), order), flavors);
  };
  // Costs fall as long as one step more covers more than it costs, by a nano.
  int128 low = 0, high = (most.nanos() + step - 1) / step;
  while (low < high) {
    const int128 middle = low + (high - low) / 2;
    if (value_at(middle + 1) - value_at(middle) > step_cost + kUnitHour) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return Money::FromNanos(low * step);
}

SpendUsage RestOf(const SpendUsage& usage, std::span<const SpendFlavor> flavors, Money commitment) {
  const std::vector<std::size_t> order = CoverOrder(flavors);
  SpendUsage rest = usage;
  for (std::size_t hour = 0; hour < usage.hours(); ++hour) {
    int128 left = commitment.nanos() * kUnitHour;
    for (const std::size_t flavor : order) {
      const int128 plan = flavors[flavor].plan.nanos();
      const int128 takes = std::min(left, usage.at(hour, flavor) * plan);
      left -= takes;
      rest.used[hour * usage.flavors + flavor] -= static_cast<std::int64_t>(takes / plan);
    }
  }
  return rest;
}

}  // namespace plimsoll
