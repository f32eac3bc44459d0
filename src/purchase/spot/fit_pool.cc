#include "purchase/spot/fit_pool.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/check.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;
// Google's preemptible instances were ended after a day.
constexpr Duration kDayCapLow = Minutes(23 * 60 + 30), kDayCapHigh = Hours(25);

void AddRuns(const AvailabilityTrace& trace, std::int32_t nodes, PoolEvidence& evidence) {
  const std::size_t ticks = trace.instances.size();
  for (std::size_t from = 0, to = 0; from < ticks; from = to) {
    const bool is_up = trace.instances[from] >= nodes;
    while (to < ticks && (trace.instances[to] >= nodes) == is_up) ++to;
    const Duration length = Millis(trace.gap.base() * static_cast<std::int64_t>(to - from));
    (is_up ? evidence.up : evidence.down).Add(length, to < ticks);
  }
}

std::optional<Duration> MeanOf(const LifetimeSample& sample) {
  if (sample.time.empty()) return std::nullopt;
  const auto count = static_cast<std::int64_t>(sample.time.size());
  return Millis(static_cast<std::int64_t>(DivideHalfEven(sample.total().base(), count)));
}

// What a pool is ranked by; nothing known is below all that is known.
std::tuple<std::int64_t, std::int64_t, std::int64_t> MeritOf(const PoolFigures& figures,
                                                             Duration run) {
  std::int64_t of_run = -1;
  if (figures.run) {
    of_run = figures.run->low;
  } else if (figures.exponential) {
    of_run = ExponentialSurvival(figures.exponential->mean_low, run);
  }
  return {of_run, figures.interval ? figures.interval->probability : -1,
          figures.availability.value_or(-1)};
}

// One of many: its runs are not those of the set.
bool IsOneOfMany(const AvailabilityTrace& trace, std::int32_t nodes) {
  return trace.observed == SpotObservation::kHeld && nodes == 1 &&
         std::any_of(trace.instances.begin(), trace.instances.end(),
                     [](std::int32_t count) { return count > 1; });
}

}  // namespace

void AddTrace(const AvailabilityTrace& trace, const EvidenceOptions& options, TraceUse use,
              PoolEvidence& evidence) {
  PLIMSOLL_CHECK(trace.gap > Duration() && options.nodes > 0);
  const bool counts = use == TraceUse::kAll;
  if (counts && !IsOneOfMany(trace, options.nodes)) AddRuns(trace, options.nodes, evidence);
  std::int32_t before = 0;
  for (const std::int32_t count : trace.instances) {
    evidence.seen_time += trace.gap;
    if (count >= options.nodes) evidence.up_time += trace.gap;
    if (!counts) continue;
    evidence.instance_time += Millis(trace.gap.base() * count);
    evidence.taken += std::max(0, before - count);
    before = count;
  }
  for (const std::optional<Money>& price : trace.prices) {
    if (!price) continue;
    evidence.price_sum += *price;
    ++evidence.prices;
  }
}

void AddLifetimes(const InstanceLifetimes& lifetimes, const EvidenceOptions& options,
                  PoolEvidence& evidence) {
  for (std::size_t i = 0; i < lifetimes.lifetime.size(); ++i) {
    const Duration lifetime = lifetimes.lifetime[i];
    bool ended = lifetimes.preempted[i] != 0;
    if (lifetime <= Duration() || lifetime < options.shortest) {
      ++evidence.short_lives;
      continue;
    }
    if (ended && lifetime >= kDayCapLow && lifetime <= kDayCapHigh) ++evidence.near_cap_lives;
    if (ended && options.cap && lifetime >= *options.cap) {
      ++evidence.capped_lives;
      ended = false;
    }
    evidence.up.Add(lifetime, ended);
    evidence.instance_time += lifetime;
    evidence.taken += ended ? 1 : 0;
  }
}

PoolFigures FiguresOf(const PoolEvidence& evidence, Duration interval, Duration run) {
  PoolFigures figures;
  if (evidence.seen_time > Duration()) {
    figures.availability = static_cast<std::int64_t>(
        DivideHalfEven(int128{evidence.up_time.base()} * kBillion, evidence.seen_time.base()));
  }
  figures.mean_up = MeanOf(evidence.up);
  figures.mean_down = MeanOf(evidence.down);
  if (evidence.instance_time > Duration()) {
    figures.taken_per_instance_hour = static_cast<std::int64_t>(DivideHalfEven(
        int128{evidence.taken} * kBillion * Hours(1).base(), evidence.instance_time.base()));
  }
  figures.interval = KaplanMeier(evidence.up, interval);
  figures.run = KaplanMeier(evidence.up, run);
  figures.exponential = evidence.up.time.empty()
                            ? FitExponential(evidence.instance_time, evidence.taken)
                            : FitExponential(evidence.up);
  figures.weibull = FitWeibull(evidence.up);
  if (evidence.prices > 0) {
    figures.price = Money::FromNanos(DivideHalfEven(evidence.price_sum.nanos(), evidence.prices));
  }
  return figures;
}

std::vector<std::size_t> RankPools(std::span<const PoolEvidence> evidence,
                                   std::span<PoolFigures> figures, Duration run) {
  PLIMSOLL_CHECK(evidence.size() == figures.size());
  std::vector<std::size_t> order(figures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (evidence[a].observed != evidence[b].observed) {
      return evidence[a].observed > evidence[b].observed;
    }
    const auto merit_a = MeritOf(figures[a], run), merit_b = MeritOf(figures[b], run);
    return merit_a != merit_b ? merit_a > merit_b : evidence[a].pool < evidence[b].pool;
  });
  std::int64_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool starts = i == 0 || evidence[order[i]].observed != evidence[order[i - 1]].observed;
    rank = starts ? 1 : rank + 1;
    figures[order[i]].rank = rank;
  }
  return order;
}

}  // namespace plimsoll
