#include "capacity/sizing/share_estimate.h"

#include <algorithm>

namespace plimsoll {
namespace {

// The cluster-robust variance of hits / count.
double VarianceOf(std::span<const HitCount> replications, const ShareEstimate& share) {
  double squares = 0;
  for (const HitCount& one : replications) {
    const double off =
        static_cast<double>(one.hits) - share.estimate * static_cast<double>(one.count);
    squares += off * off;
  }
  const auto n = static_cast<double>(share.count), r = static_cast<double>(share.replications);
  return r / (r - 1) * squares / (n * n);
}

double EffectiveTrials(std::span<const HitCount> replications, const ShareEstimate& share,
                       double confidence) {
  const auto n = static_cast<double>(share.count), r = static_cast<double>(share.replications);
  if (share.replications < 2) return 1;
  if (share.hits == 0 || share.hits == share.count) return r;
  const double variance = VarianceOf(replications, share);
  const double independent = share.estimate * (1 - share.estimate);
  if (variance * n <= independent * 1e-12) return n;  // as even as can be
  const double upper = 0.5 + confidence / 2;
  const double ratio = StudentQuantile(upper, n - 1) / StudentQuantile(upper, r - 1);
  return std::min(n, independent / variance * ratio * ratio);
}

}  // namespace

ShareEstimate EstimateShare(std::span<const HitCount> replications, double confidence) {
  ShareEstimate share;
  share.interval = {0, 1};
  for (const HitCount& one : replications) {
    share.hits += one.hits;
    share.count += one.count;
    share.replications += one.count > 0;
  }
  if (share.count == 0) return share;
  share.estimate = static_cast<double>(share.hits) / static_cast<double>(share.count);
  share.effective = EffectiveTrials(replications, share, confidence);
  // All or none hit: p n_eff is exact, elsewhere it may pass n_eff by a rounding.
  const double hits =
      share.hits == share.count ? share.effective : share.estimate * share.effective;
  share.interval = EffectiveShareInterval(hits, share.effective, confidence);
  return share;
}

}  // namespace plimsoll
