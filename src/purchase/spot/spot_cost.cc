#include "purchase/spot/spot_cost.h"

#include <algorithm>
#include <string>

namespace plimsoll {
namespace {

constexpr std::int64_t kHour = Hours(1).base();
constexpr std::int64_t kMonth = Hours(730).base();
constexpr std::int64_t kMbPerGb = 1'000;
constexpr Money kMost = Money::Units(1'000'000'000);

Money ForHours(Money price, std::int64_t nodes, Duration time) {
  return Money::FromNanos(DivideHalfEven(price.nanos() * nodes * time.base(), kHour));
}

Money& Line(SpotCost& cost, SpotLine line) { return cost.lines[static_cast<std::size_t>(line)]; }

Status CheckPrice(const char* what, Money price) {
  if (price > Money() && price <= kMost) return Ok();
  return Error{ErrorCode::kInvalidArgument,
               std::string("the price of ") + what + " is " + price.ToString() +
                   "; a price is above 0 (one that nobody told is not 0) and at most a billion"};
}

Status CheckAmount(const char* what, Money amount) {
  if (amount >= Money() && amount <= kMost) return Ok();
  return Error{ErrorCode::kInvalidArgument,
               std::string(what) + " is " + amount.ToString() + "; it must be from 0 to a billion"};
}

Money Penalty(const SpotPrices& prices, Duration late) {
  if (late <= Duration()) return {};
  return prices.penalty + ForHours(prices.penalty_per_hour, 1, late);
}

}  // namespace

Status CheckPrices(const SpotPrices& prices) {
  PLIMSOLL_RETURN_IF_ERROR(CheckPrice("a node on demand", prices.on_demand));
  PLIMSOLL_RETURN_IF_ERROR(CheckPrice("a node on spot", prices.spot));
  PLIMSOLL_RETURN_IF_ERROR(CheckAmount("the price of storage", prices.storage));
  PLIMSOLL_RETURN_IF_ERROR(CheckAmount("the price of traffic", prices.traffic));
  PLIMSOLL_RETURN_IF_ERROR(CheckAmount("the cost of people", prices.people));
  PLIMSOLL_RETURN_IF_ERROR(
      CheckAmount("the cost of people for an eviction", prices.people_per_eviction));
  PLIMSOLL_RETURN_IF_ERROR(CheckAmount("the penalty", prices.penalty));
  PLIMSOLL_RETURN_IF_ERROR(CheckAmount("the penalty for an hour", prices.penalty_per_hour));
  PLIMSOLL_RETURN_IF_ERROR(CheckAmount("the cost of an hour's delay", prices.delay_per_hour));
  constexpr std::int64_t kMbMost = 1'000'000'000'000;
  for (const std::int64_t mb : {prices.storage_mb, prices.traffic_mb}) {
    if (mb < 0 || mb > kMbMost) {
      return Error{ErrorCode::kInvalidArgument, "storage and traffic are from 0 GB to an exabyte"};
    }
  }
  const int128 most = kMost.nanos() * kMbPerGb;
  if (prices.storage.nanos() * prices.storage_mb > most ||
      prices.traffic.nanos() * prices.traffic_mb > most) {
    return Error{ErrorCode::kInvalidArgument,
                 "storage for a month and traffic for a restart must cost at most a billion"};
  }
  return Ok();
}

SpotCost CostOfRun(const SpotRunModel& model, const SpotPrices& prices, SpotPolicy policy,
                   const SpotRunTimes& times) {
  SpotCost cost;
  const auto spent = [&](std::size_t where, SpotTime what) {
    return times.spent[where][static_cast<std::size_t>(what)];
  };
  const auto both = [&](SpotTime what) {
    return ForHours(prices.spot, model.nodes, spent(0, what)) +
           ForHours(prices.on_demand, model.nodes, spent(1, what));
  };
  cost.work = ForHours(prices.spot, model.nodes, times.of(SpotTime::kWork));
  Line(cost, SpotLine::kRecomputation) = both(SpotTime::kRecomputation);
  Line(cost, SpotLine::kRestarts) = both(SpotTime::kRestarts);
  Line(cost, SpotLine::kCheckpoints) = both(SpotTime::kCheckpoints);
  Line(cost, SpotLine::kWaiting) =
      ForHours(prices.spot, model.nodes - 1, spent(0, SpotTime::kWaiting));
  Line(cost, SpotLine::kOnDemand) = both(SpotTime::kWork) - cost.work;
  if (policy != SpotPolicy::kOnDemand || model.hardware_mtbf) {
    Line(cost, SpotLine::kStorage) = Money::FromNanos(DivideHalfEven(
        prices.storage.nanos() * prices.storage_mb * times.finish.base() / kMbPerGb, kMonth));
    Line(cost, SpotLine::kTraffic) = Money::FromNanos(
        DivideHalfEven(prices.traffic.nanos() * prices.traffic_mb * times.restarts, kMbPerGb));
  }
  if (policy != SpotPolicy::kOnDemand) {
    Line(cost, SpotLine::kOperations) =
        prices.people + Money::FromNanos(prices.people_per_eviction.nanos() * times.evictions);
  }
  if (model.deadline) {
    Line(cost, SpotLine::kDeadlinePenalty) = Penalty(prices, times.finish - *model.deadline);
  }
  return cost;
}

}  // namespace plimsoll
