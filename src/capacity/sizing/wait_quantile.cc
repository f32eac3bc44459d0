#include "capacity/sizing/wait_quantile.h"

#include <cmath>
#include <vector>

#include "base/check.h"
#include "capacity/sizing/share_estimate.h"

namespace plimsoll {

WaitQuantile EstimateWaitQuantile(std::span<const WaitTally> replications, double p,
                                  double confidence) {
  PLIMSOLL_CHECK(p > 0 && p < 1);
  WaitTally all;
  for (const WaitTally& one : replications) all.Merge(one);
  WaitQuantile quantile;
  quantile.jobs = all.count();
  if (all.count() == 0) return quantile;
  quantile.estimate = all.Quantile(p);
  std::vector<HitCount> hits;
  hits.reserve(replications.size());
  for (const WaitTally& one : replications) {
    const std::int64_t within =
        quantile.estimate ? one.CountWithin(*quantile.estimate) : one.count() - one.unstarted();
    hits.push_back({within, one.count()});
  }
  quantile.effective = EstimateShare(hits, confidence).effective;
  const Interval share =
      EffectiveShareInterval(p * quantile.effective, quantile.effective, confidence);
  const double tail = (1 - confidence) / 2;
  // With n jobs all may lie below the quantile with probability p^n, above it with (1 - p)^n.
  if (std::pow(1 - p, quantile.effective) <= tail && share.low > 0) {
    quantile.low = all.Quantile(share.low);
  }
  if (std::pow(p, quantile.effective) <= tail && share.high < 1) {
    quantile.high = all.Quantile(share.high);
  }
  return quantile;
}

}  // namespace plimsoll
