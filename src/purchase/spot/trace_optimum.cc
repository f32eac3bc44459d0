#include "purchase/spot/trace_optimum.h"

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "purchase/spot/trace_replay.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMsPerHour = 3'600'000;
constexpr std::int64_t kGuessParts = 16;

// A way to have come so far.
struct Way {
  std::int64_t progress = 0;  // ms of work, less restarts
  Money per_hour;             // prices of all paid ticks
  std::int32_t on_demand = 0, spot = 0, restarts = 0;
};

// Ways that no other beats in progress and cost: progress falls, cost falls.
using Front = std::vector<Way>;

struct Step {
  std::int64_t progress = 0;
  Money per_hour;
  std::int32_t on_demand = 0, spot = 0, restarts = 0;
};

Way Took(const Way& way, const Step& step) {
  return {way.progress + step.progress, way.per_hour + step.per_hour,
          way.on_demand + step.on_demand, way.spot + step.spot, way.restarts + step.restarts};
}

bool IsBefore(const Way& a, const Way& b) {
  return a.progress != b.progress ? a.progress > b.progress : a.per_hour < b.per_hour;
}

// All of `a` after `by_a` and of `b` after `by_b`, without what another beats.
Front Merge(const Front& a, const Step& by_a, const Front& b, const Step& by_b) {
  Front merged;
  merged.reserve(a.size() + b.size());
  const auto add = [&](const Way& way) {
    if (merged.empty() || way.per_hour < merged.back().per_hour) merged.push_back(way);
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const Way from_a = Took(a[i], by_a), from_b = Took(b[j], by_b);
    const bool takes_a = !IsBefore(from_b, from_a);
    add(takes_a ? from_a : from_b);
    ++(takes_a ? i : j);
  }
  for (; i < a.size(); ++i) add(Took(a[i], by_a));
  for (; j < b.size(); ++j) add(Took(b[j], by_b));
  return merged;
}

class Search {
 public:
  Search(const TraceJob& job, const SpotSeries& series, const OptimumOptions& options)
      : job_(job), series_(series), options_(options), gap_(series.gap.base()) {
    const std::int64_t deadline = job.deadline.base() + (options.published ? gap_ - 1 : 0);
    ticks_ = std::min(deadline / gap_, static_cast<std::int64_t>(series.up.size()));
    lowest_ = job.on_demand;
    if (series.prices.empty()) lowest_ = std::min(lowest_, job.spot);
    const std::size_t seen = std::min(series.prices.size(), static_cast<std::size_t>(ticks_));
    for (const Money price : series.prices.first(seen)) lowest_ = std::min(lowest_, price);
    spot_left_.assign(static_cast<std::size_t>(ticks_) + 1, 0);
    for (auto tick = static_cast<std::size_t>(ticks_); tick-- > 0;) {
      spot_left_[tick] = spot_left_[tick + 1] + (series.up[tick] != 0 ? 1 : 0);
    }
  }

  std::optional<TraceOutcome> Run() {
    const std::optional<Money> most = CostToBeat();
    const Money least = LeastOf({}, 0);
    // A low guess of the cost cuts off most ways; what is found within it is the optimum.
    for (std::int64_t part = most ? kGuessParts : 0; part > 0 && !best_; part /= 2) {
      bound_ = least + Money::FromNanos((*most - least).nanos() / part);
      WalkAll();
    }
    if (!best_) {
      bound_.reset();
      WalkAll();
    }
    if (!best_) return std::nullopt;
    TraceOutcome outcome;
    outcome.done = true;
    outcome.cost = CostOfTicks(best_->per_hour, series_.gap);
    // The last tick's work ends before the tick by what was more than the work.
    outcome.finished = Millis(best_until_ - (best_->progress - job_.work.base()));
    outcome.on_demand_time = Millis(best_->on_demand * gap_);
    outcome.spot_time = Millis(best_->spot * gap_);
    outcome.restarts = best_->restarts;
    return outcome;
  }

 private:
  // What a policy without foresight pays is an upper bound. The published variant has one restart
  // more at most than a plan really needs: a policy that does it with one more holds there too.
  std::optional<Money> CostToBeat() const {
    TraceJob job = job_;
    if (options_.published) job.work += job.restart;
    std::optional<Money> least;
    for (const TracePolicy policy : {TracePolicy::kUniformProgress, TracePolicy::kGreedy}) {
      const TraceOutcome outcome = ReplayTrace(policy, job, series_);
      if (IsLate(outcome, job)) continue;
      const int128 per_hour = (outcome.cost.nanos() + 1) * kMsPerHour / gap_ + 1;
      least = std::min(least.value_or(Money::FromNanos(per_hour)), Money::FromNanos(per_hour));
    }
    return least;
  }

  // No way from here costs less: every spot tick left at the lowest price, the rest on demand.
  Money LeastOf(const Way& way, std::int64_t ticks_gone) const {
    const std::int64_t needed = (job_.work.base() - way.progress + gap_ - 1) / gap_;
    const std::int64_t cheap = std::min(needed, spot_left_[static_cast<std::size_t>(ticks_gone)]);
    return way.per_hour +
           Money::FromNanos(lowest_.nanos() * cheap + job_.on_demand.nanos() * (needed - cheap));
  }

  void WalkAll() {
    none_ = {Way()};
    od_.clear();
    spot_.clear();
    for (std::int64_t tick = 0; tick < ticks_; ++tick) Walk(tick);
  }

  void Walk(std::int64_t tick) {
    const auto at = static_cast<std::size_t>(tick);
    const std::int64_t restarted = gap_ - job_.restart.base();
    const Step od_stays{gap_, job_.on_demand, 1, 0, 0};
    const Step od_comes{restarted, job_.on_demand, 1, 0, 1};
    const Money price = series_.prices.empty() ? job_.spot : series_.prices[at];
    const Step spot_stays{gap_, price, 0, 1, 0}, spot_comes{restarted, price, 0, 1, 1};
    Front none = Merge(Merge(none_, {}, spot_, {}), {}, od_, {});
    Front od = Merge(od_, od_stays, none, od_comes);
    Front spot;
    if (series_.up[at] != 0) spot = Merge(spot_, spot_stays, none, spot_comes);
    if (options_.published && tick == 0) {
      for (Way& way : none) way.progress -= job_.restart.base();
    }
    none_ = std::move(none);
    od_ = std::move(od);
    spot_ = std::move(spot);
    for (Front* front : {&none_, &od_, &spot_}) Settle(tick + 1, *front);
  }

  // Takes out the ways that are done, and those that cannot get there or cost more than one that
  // did.
  void Settle(std::int64_t ticks_gone, Front& front) {
    const std::int64_t reach = gap_ * (ticks_ - ticks_gone);
    for (const Way& way : front) {
      if (way.progress < job_.work.base() || (best_ && best_->per_hour <= way.per_hour)) continue;
      if (bound_ && way.per_hour > *bound_) continue;  // not sure to be the optimum
      best_ = way;
      best_until_ = ticks_gone * gap_;
    }
    std::erase_if(front, [&](const Way& way) {
      return way.progress >= job_.work.base() || way.progress + reach < job_.work.base() ||
             (best_ && best_->per_hour <= way.per_hour) ||
             (bound_ && LeastOf(way, ticks_gone) > *bound_);
    });
  }

  const TraceJob& job_;
  const SpotSeries& series_;
  OptimumOptions options_;
  std::int64_t gap_;
  std::int64_t ticks_ = 0;
  Money lowest_;                         // price of any tick
  std::vector<std::int64_t> spot_left_;  // ticks with spot, from each tick on
  std::optional<Money> bound_;           // what the optimum costs at most
  Front none_, od_, spot_;               // by the machine held in the last tick
  std::optional<Way> best_;
  std::int64_t best_until_ = 0;
};

}  // namespace

std::optional<TraceOutcome> TraceOptimum(const TraceJob& job, const SpotSeries& series,
                                         const OptimumOptions& options) {
  PLIMSOLL_CHECK(job.work > Duration() && job.deadline > Duration() && series.gap > Duration());
  PLIMSOLL_CHECK(series.prices.empty() || series.prices.size() == series.up.size());
  return Search(job, series, options).Run();
}

}  // namespace plimsoll
