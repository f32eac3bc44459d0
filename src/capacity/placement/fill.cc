// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/fill.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "capacity/placement/placer.h"
#include "sim/random.h"
#include "sim/replications.h"
#include "sim/statistics.h"
#include "units/money.h"

namespace plimsoll {
namespace {

constexpr std::array<std::int64_t, 7> kPoints{50, 80, 90, 95, 100, 110, 120};

constexpr int128 kBillionthsOfAPercent = int128{100} * 1'000'000'000;

std::int64_t PercentOf(int128 part, int128 whole) {
  return static_cast<std::int64_t>(DivideHalfEven(part * kBillionthsOfAPercent, whole));
}

FillPoint PointAt(const Cluster& cluster, const FragmentationMeasure& measure,
                  std::int64_t percent) {
  return {percent, cluster.gpu_milli_total() - cluster.gpu_milli_free(), measure.Of(cluster)};
}

FillRun RunOnce(Cluster cluster, std::span<const PodShape> pods,
                const FragmentationMeasure& measure, const FillOptions& options,
                std::uint64_t seed) {
  const std::int64_t all = cluster.gpu_milli_total();
  Placer placer(cluster, {options.policy, &measure, true, seed});
  FillRun run;
  run.seed = seed;
  std::size_t next = 0;
  for (const std::uint32_t pod : FillArrivals(pods, all * options.fill_percent / 100, seed)) {
    const PodShape& shape = pods[pod];
    ++run.pods_arrived;
    run.gpu_milli_asked += GpuMilli(shape);
    if (const std::optional<Placement> place = placer.Choose(cluster, shape)) {
      cluster.Take(place->node, shape, place->gpus);
      ++run.pods_placed;
    }
    while (next < kPoints.size() && kPoints[next] < options.fill_percent &&
           run.gpu_milli_asked * 100 >= kPoints[next] * all) {
      run.points.push_back(PointAt(cluster, measure, kPoints[next++]));
    }
  }
  // Points that no arrival reached are as the end is: every run has the same ones.
  while (next < kPoints.size() && kPoints[next] < options.fill_percent) {
    run.points.push_back(PointAt(cluster, measure, kPoints[next++]));
  }
  run.points.push_back(PointAt(cluster, measure, options.fill_percent));
  return run;
}

// Places of a list of which some are taken out, each by its number among the ones left: a binary
// indexed tree over the places, a logarithm of their number each.
class PlacesLeft {
 public:
  explicit PlacesLeft(std::size_t places)
      : left_(places), top_(std::bit_floor(places)), counts_(places + 1), taken_(places) {
    for (std::size_t i = 1; i <= places; ++i) counts_[i] = i & (~i + 1);  // its lowest bit
  }

  std::size_t size() const { return left_; }

  // REQUIRES: at < size()
  std::size_t Take(std::size_t at) {
    std::size_t place = 0;
    for (std::size_t step = top_; step > 0; step /= 2) {
      const std::size_t next = place + step;
      if (next < counts_.size() && counts_[next] <= at) {
        at -= counts_[next];
        place = next;
      }
    }
    taken_[place] = true;
    --left_;
    for (std::size_t i = place + 1; i < counts_.size(); i += i & (~i + 1)) --counts_[i];
    return place;
  }

  std::vector<std::uint32_t> Kept(const std::vector<std::uint32_t>& list) const {
    std::vector<std::uint32_t> kept;
    kept.reserve(left_);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!taken_[i]) kept.push_back(list[i]);
    }
    return kept;
  }

 private:
  std::size_t left_;
  std::size_t top_;  // the largest power of two that is a place
  std::vector<std::size_t> counts_;
  std::vector<bool> taken_;
};

Error Wrong(std::string what) { return {ErrorCode::kInvalidArgument, std::move(what)}; }

}  // namespace

std::int64_t FillOutcome::FigureOf(const FillPoint& point, FillFigure figure) const {
  const Fragmentation& fragmentation = point.fragmentation;
  switch (figure) {
    case FillFigure::kAllocated:
      return PercentOf(point.allocated_milli, gpu_milli);
    case FillFigure::kFragmented:
      return PercentOf(fragmentation.fragmented(), int128{fragmentation.pods} * gpu_milli);
    case FillFigure::kRatio:
      break;
  }
  return fragmentation.ratio_ppb() * 100;
}

FillOutcome::Spread FillOutcome::SpreadOf(std::size_t at, FillFigure figure) const {
  Moments moments;
  for (const FillRun& run : runs) {
    moments.Add(static_cast<double>(FigureOf(run.points[at], figure)));
  }
  Spread spread{std::llround(moments.mean()), std::nullopt};
  if (runs.size() > 1) spread.deviation = std::llround(std::sqrt(moments.variance()));
  return spread;
}

std::int64_t FillOutcome::IdleIn(IdleClass idle) const {
  int128 sum = 0;
  for (const FillRun& run : runs) {
    sum += run.points.back().fragmentation.by_class[static_cast<std::size_t>(idle)];
  }
  return PercentOf(sum, int128{typical.count} * gpu_milli * static_cast<int128>(runs.size()));
}

std::vector<std::uint32_t> FillArrivals(std::span<const PodShape> pods, std::int64_t gpu_milli,
                                        std::uint64_t seed) {
  RandomStream random(seed, "fill.arrivals", 0);
  std::vector<std::uint32_t> order(pods.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
  std::int64_t asked = 0;
  for (const PodShape& pod : pods) asked += GpuMilli(pod);
  if (asked > gpu_milli) {
    // More than is wanted: any of them stays away, again and again.
    PlacesLeft places(order.size());
    while (asked > gpu_milli)
      asked -= GpuMilli(pods[order[places.Take(random.Below(places.size()))]]);
    order = places.Kept(order);
  }
  while (true) {
    const auto more = static_cast<std::uint32_t>(random.Below(pods.size()));
    if (asked + GpuMilli(pods[more]) > gpu_milli) return order;
    asked += GpuMilli(pods[more]);
    order.push_back(more);
  }
}

Result<FillOutcome> RunFill(const Cluster& empty, std::span<const PodShape> pods,
                            const FillOptions& options) {
  const std::int64_t all = empty.gpu_milli_total();
  std::int64_t asked = 0;
  for (const PodShape& pod : pods) asked += GpuMilli(pod);
  if (all == 0) return Wrong("no node has a GPU: there is nothing to fill");
  if (asked == 0) return Wrong("no pod asks for a GPU: a fill in percent of GPUs never ends");
  const auto count = static_cast<int128>(pods.size());
  if (count * all * options.fill_percent / 100 / asked > kFillPodsMax) {
    return Wrong("more than " + std::to_string(kFillPodsMax) +
                 " pods would arrive: the pods ask for too little beside the nodes' GPUs");
  }
  FillOutcome outcome;
  outcome.gpu_milli = all;
  outcome.typical = TypicalPodsOf(pods, options.typical_percent);
  const FragmentationMeasure measure(outcome.typical);
  outcome.runs.resize(static_cast<std::size_t>(options.runs));
  ForEachBlock(options.runs, options.threads, [&](std::int64_t run) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(run);
    outcome.runs[static_cast<std::size_t>(run)] = RunOnce(empty, pods, measure, options, seed);
  });
  return outcome;
}

}  // namespace plimsoll
