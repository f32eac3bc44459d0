#include "purchase/spot/spot_load.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "purchase/spot/checkpoint_interval.h"

namespace plimsoll {
namespace {

constexpr double kSlowdownMax = 1'000;
constexpr std::int64_t kNeverMs = 4'000'000'000'000'000;
constexpr int128 kBillion = 1'000'000'000;

double InMs(Duration duration) { return static_cast<double>(duration.base()); }

// Paid by useful time on spot.
double Slowdown(const SpotLoadModel& model, double mtbf) {
  const CheckpointModel checkpoints{mtbf, InMs(model.save), InMs(model.restart), 0};
  const double item = InMs(model.item);
  if (item <= 0) return std::exp(InMs(model.restart) / mtbf);
  const double whole = SegmentTime(checkpoints, item) / item;
  if (model.save <= Duration()) return whole;
  return std::min(whole, BilledSlowdown(checkpoints, 0));
}

Duration Bounded(int128 ms) {
  return Millis(static_cast<std::int64_t>(std::min(ms, int128{kNeverMs})));
}

Money Part(Money money, std::int64_t ppb) {
  return Money::FromNanos(DivideHalfEven(money.nanos() * ppb, kBillion));
}

}  // namespace

Duration JobMtbf(const Lifetime& lifetime, std::int64_t nodes) {
  return Millis(std::llround(std::min(lifetime.Mean() / static_cast<double>(nodes), 4e15)));
}

Result<SpotLoadCost> PriceSpotLoad(const SpotLoadModel& model, const SpotLoadPrices& prices) {
  if (prices.on_demand <= Money() || prices.spot <= Money()) {
    return Error{ErrorCode::kInvalidArgument, "a price is not known: no price is not a price of 0"};
  }
  const double mtbf = model.lifetime.Mean();
  const double slowdown = Slowdown(model, mtbf);
  if (!(slowdown <= kSlowdownMax)) {
    return Error{ErrorCode::kInvalidArgument,
                 "evictions leave no useful time: less than a thousandth of what is paid"};
  }
  SpotLoadCost cost;
  cost.mtbf = JobMtbf(model.lifetime, 1);
  cost.spot = prices.spot;
  cost.slowdown_ppb = std::llround(slowdown * 1e9);
  cost.short_ppb = std::llround(InMs(model.wait) / (mtbf + InMs(model.wait)) * 1e9);
  const std::int64_t over = cost.slowdown_ppb - static_cast<std::int64_t>(kBillion);
  const std::int64_t there = static_cast<std::int64_t>(kBillion) - cost.short_ppb;
  SpotLoadCost waits = cost;
  waits.waits = true;
  waits.interruptions = Part(prices.spot, over);
  waits.waiting = Part(prices.waiting, std::llround(slowdown * InMs(model.wait) / mtbf * 1e9));
  cost.interruptions = Part(Part(prices.spot, over), there);
  cost.fallback = Part(prices.on_demand - prices.spot, cost.short_ppb);
  return prices.may_wait && waits.total() <= cost.total() ? waits : cost;
}

Duration LongestWait(Money value, Money price_difference, Duration rest) {
  PLIMSOLL_CHECK(value > Money());
  return Bounded(price_difference.nanos() * rest.base() / value.nanos());
}

Duration ReturnPaysFrom(Duration restart, Money on_demand, Money spot) {
  PLIMSOLL_CHECK(spot < on_demand);
  return Bounded(
      DivideHalfEven(2 * int128{restart.base()} * on_demand.nanos(), (on_demand - spot).nanos()));
}

}  // namespace plimsoll
