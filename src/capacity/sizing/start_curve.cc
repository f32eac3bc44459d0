#include "capacity/sizing/start_curve.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr std::int64_t kSteps = 12;

double Confidence(const SizingTargets& targets) {
  return static_cast<double>(targets.confidence) / 1e9;
}

// In all that a target can ask for but its time.
bool IsSameGang(const TrainingJob& a, const TrainingJob& b) {
  return a.shape == b.shape && a.pods == b.pods && a.pods_min == b.pods_min &&
         a.topology == b.topology && a.queue == b.queue && a.priority == b.priority &&
         a.run == b.run && a.time_limit == b.time_limit;
}

CurvePoint PointOf(const SizingTargets& targets, std::span<const ReplicationOutcome> replications,
                   std::size_t gang, Duration within) {
  const bool at_target = within == targets.gangs[gang].within;
  std::vector<HitCount> hits;
  hits.reserve(replications.size());
  for (const ReplicationOutcome& outcome : replications) {
    const WaitOutcome& one = outcome.gangs.at(gang);
    hits.push_back({at_target ? one.within : one.waits.CountWithin(within), one.waits.count()});
  }
  return {within, EstimateShare(hits, Confidence(targets))};
}

}  // namespace

void CarryBounds(std::span<CurvePoint> points) {
  double low = 0;
  for (CurvePoint& point : points) {
    if (point.share.count == 0) continue;
    low = std::max(low, point.share.interval.low);
    point.share.interval.low = std::min(low, point.share.estimate);
  }
  double high = 1;
  for (std::size_t i = points.size(); i-- > 0;) {
    ShareEstimate& share = points[i].share;
    if (share.count == 0) continue;
    high = std::min(high, share.interval.high);
    share.interval.high = std::max(high, share.estimate);
  }
}

std::vector<CurvePoint> StartCurve(const SizingTargets& targets,
                                   std::span<const ReplicationOutcome> replications,
                                   std::size_t gang) {
  const Duration last = targets.gangs.at(gang).within;
  std::vector<CurvePoint> all;
  for (std::int64_t step = 0; step <= (last > Duration() ? kSteps : 0); ++step) {
    all.push_back(PointOf(targets, replications, gang, Millis(last.base() * step / kSteps)));
  }
  const std::size_t own = all.size();
  for (std::size_t i = 0; i < targets.gangs.size(); ++i) {
    if (i == gang || !IsSameGang(targets.gangs[gang].job, targets.gangs[i].job)) continue;
    all.push_back(PointOf(targets, replications, i, targets.gangs[i].within));
  }
  std::vector<std::size_t> by_time(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) by_time[i] = i;
  std::ranges::stable_sort(by_time, {}, [&](std::size_t i) { return all[i].within; });
  std::vector<CurvePoint> ordered;
  for (const std::size_t i : by_time) ordered.push_back(all[i]);
  CarryBounds(ordered);
  for (std::size_t i = 0; i < by_time.size(); ++i) all[by_time[i]] = ordered[i];
  all.resize(own);
  return all;
}

}  // namespace plimsoll
