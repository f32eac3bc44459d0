#include "purchase/spot/spot_outcome.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "sim/statistics.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

// What a block of runs adds up to.
struct Sums {
  Moments time;
  int128 total_ms = 0;
  std::array<int128, kSpotTimes> by_cause{};
  std::int64_t unfinished = 0, on_time = 0, evictions = 0;
  SpotCost cost;
  std::vector<Duration> times;
  std::vector<Money> costs;
  Fingerprint fingerprint;

  void Merge(Sums&& other) {
    time.Merge(other.time);
    total_ms += other.total_ms;
    for (std::size_t i = 0; i < kSpotTimes; ++i) by_cause[i] += other.by_cause[i];
    unfinished += other.unfinished;
    on_time += other.on_time;
    evictions += other.evictions;
    cost.work += other.cost.work;
    for (std::size_t i = 0; i < kSpotLines; ++i) cost.lines[i] += other.cost.lines[i];
    times.insert(times.end(), other.times.begin(), other.times.end());
    costs.insert(costs.end(), other.costs.begin(), other.costs.end());
    fingerprint.Add(other.fingerprint);
  }
};

void Add(const SpotRunTimes& run, const SpotCost& cost, const SpotRunModel& model, Sums& sums) {
  sums.time.Add(static_cast<double>(run.finish.base()));
  sums.total_ms += run.finish.base();
  for (std::size_t i = 0; i < kSpotTimes; ++i) {
    sums.by_cause[i] += run.of(static_cast<SpotTime>(i)).base();
  }
  sums.unfinished += !run.finished;
  sums.on_time += run.finished && model.deadline && run.finish <= *model.deadline;
  sums.evictions += run.evictions;
  sums.cost.work += cost.work;
  for (std::size_t i = 0; i < kSpotLines; ++i) sums.cost.lines[i] += cost.lines[i];
  sums.times.push_back(run.finish);
  sums.costs.push_back(cost.total());
  sums.fingerprint.Add(run.fingerprint);
}

Duration MeanDuration(int128 sum, std::int64_t runs) {
  return Millis(static_cast<std::int64_t>(DivideHalfEven(sum, runs)));
}
Money MeanMoney(Money sum, std::int64_t runs) {
  return Money::FromNanos(DivideHalfEven(sum.nanos(), runs));
}

template <class Value>
SpotQuantile<Value> Quantile(const std::vector<Value>& sorted, double p, double confidence) {
  SpotQuantile<Value> quantile{sorted[QuantileRank(sorted.size(), p)], {}, {}};
  if (const auto ranks = QuantileRanks(sorted.size(), p, confidence)) {
    quantile.low = sorted[ranks->low];
    quantile.high = sorted[ranks->high];
  }
  return quantile;
}

SpotShare ShareOf(std::int64_t hits, std::int64_t runs, double confidence) {
  const auto ppb = [](double share) { return std::llround(share * double{kBillion}); };
  const Interval interval = ShareInterval(hits, runs, confidence);
  return {static_cast<std::int64_t>(DivideHalfEven(int128{hits} * kBillion, runs)),
          ppb(interval.low), ppb(interval.high)};
}

void Summarize(Sums& sums, double confidence, SpotOutcome& outcome) {
  outcome.mean_time = MeanDuration(sums.total_ms, outcome.runs);
  outcome.mean_time_low = outcome.mean_time_high = outcome.mean_time;
  if (const auto interval = MeanInterval(sums.time, confidence)) {
    outcome.mean_time_low = Millis(static_cast<std::int64_t>(std::floor(interval->low)));
    outcome.mean_time_high = Millis(static_cast<std::int64_t>(std::ceil(interval->high)));
  }
  for (std::size_t i = 0; i < kSpotTimes; ++i) {
    outcome.time_by_cause[i] = MeanDuration(sums.by_cause[i], outcome.runs);
  }
  outcome.mean_cost.work = MeanMoney(sums.cost.work, outcome.runs);
  for (std::size_t i = 0; i < kSpotLines; ++i) {
    outcome.mean_cost.lines[i] = MeanMoney(sums.cost.lines[i], outcome.runs);
  }
  std::sort(sums.times.begin(), sums.times.end());
  std::sort(sums.costs.begin(), sums.costs.end());
  outcome.time_p50 = Quantile(sums.times, 0.5, confidence);
  outcome.time_p90 = Quantile(sums.times, 0.9, confidence);
  outcome.time_p99 = Quantile(sums.times, 0.99, confidence);
  outcome.cost_p50 = Quantile(sums.costs, 0.5, confidence);
  outcome.cost_p90 = Quantile(sums.costs, 0.9, confidence);
  outcome.cost_p99 = Quantile(sums.costs, 0.99, confidence);
}

}  // namespace

SpotOutcome SampleSpotRuns(const SpotRunModel& model, const SpotPrices& prices, SpotPolicy policy,
                           const SpotSampling& sampling) {
  PLIMSOLL_CHECK(sampling.replications > 0);
  ReplicationOptions options;
  options.count = sampling.replications;
  options.threads = sampling.threads;
  Sums sums = Replicate<Sums>(options, [&](std::int64_t replication, Sums& of_block) {
    const SpotRunTimes run =
        SimulateSpotRun(model, policy, {sampling.seed, static_cast<std::uint64_t>(replication)});
    Add(run, CostOfRun(model, prices, policy, run), model, of_block);
  });
  SpotOutcome outcome;
  outcome.policy = policy;
  outcome.runs = sampling.replications;
  outcome.unfinished = sums.unfinished;
  outcome.evictions_per_billion_runs =
      static_cast<std::int64_t>(DivideHalfEven(int128{sums.evictions} * kBillion, outcome.runs));
  outcome.fingerprint = sums.fingerprint;
  if (model.deadline) outcome.on_time = ShareOf(sums.on_time, outcome.runs, sampling.confidence);
  Summarize(sums, sampling.confidence, outcome);
  return outcome;
}

}  // namespace plimsoll
