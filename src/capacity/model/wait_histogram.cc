#include "capacity/model/wait_histogram.h"

#include "base/check.h"

namespace plimsoll {

std::optional<WaitRange> QuantileRange(const WaitHistogram& histogram, std::int64_t per_mille) {
  PLIMSOLL_CHECK(per_mille > 0 && per_mille <= 1'000);
  if (histogram.buckets.empty() || histogram.buckets.back().count <= 0) return std::nullopt;
  const std::int64_t count = histogram.buckets.back().count;
  // ceil(count x per_mille / 1000) without a product that could overflow.
  const std::int64_t rank = count / 1'000 * per_mille + (count % 1'000 * per_mille + 999) / 1'000;
  WaitRange range;
  for (const WaitBucket& bucket : histogram.buckets) {
    range.high = bucket.upper;
    if (bucket.count >= rank) return range;
    if (bucket.upper) range.low = *bucket.upper;
  }
  return range;
}

}  // namespace plimsoll
